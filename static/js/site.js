// On every page: what htmx needs, times of the reader, menus and dialogs.
import { signHtmxRequests } from "./parts/csrf.js";
import { openDialogs } from "./parts/dialogs.js";
import { closeMenus } from "./parts/menus.js";
import { notifyOfHtmxFailures } from "./parts/notices.js";
import { showLocalTimes } from "./parts/times.js";

signHtmxRequests();
notifyOfHtmxFailures();
openDialogs();
closeMenus();
showLocalTimes(document);
document.addEventListener("htmx:load", (event) => showLocalTimes(event.detail.elt));
