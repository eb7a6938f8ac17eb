import { drawCharts } from "../parts/charts.js";
import { tellZone } from "../parts/zone.js";

tellZone();
if (document.querySelector("[data-chart]")) drawCharts();
