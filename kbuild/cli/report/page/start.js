// SPDX-License-Identifier: GPL-2.0-or-later
/* ---- the page ---- */

function isTyping(element) {
	return element.matches?.("input, select, textarea");
}

function startKeys() {
	document.addEventListener("keydown", (event) => {
		if (event.key !== "/" || event.ctrlKey || event.metaKey ||
		    isTyping(event.target) || byId("details").open)
			return;
		event.preventDefault();
		byId("search").focus();
		byId("search").select();
		byId("functions").scrollIntoView();
	});
}

startTheme();
showTitle();
showNotes();
showSummary();
showFlags();
startMap();
showLists();
startTable();
startDetails();
startKeys();
