// A withdrawal begins at a moment that its manager types.
import { tellZone } from "../parts/zone.js";

tellZone();
