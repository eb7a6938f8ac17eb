import { drawCharts } from "../parts/charts.js";

drawCharts();
