import { offerCopies } from "../parts/copying.js";

offerCopies();
