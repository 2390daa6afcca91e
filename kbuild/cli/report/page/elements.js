// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shows what `kiln report --html` found. The data's format is told in html.h.
 *
 * Names in it are those of somebody's source: they become text by textContent alone, never
 * markup, selectors or code.
 */
"use strict";

/* ---- elements ---- */

const SVG = "http://www.w3.org/2000/svg";

function byId(id) {
	return document.getElementById(id);
}

/* ATTRIBUTES: those with "on" before an event's name are listeners, `text` is text. */
function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (name.startsWith("on"))
			element.addEventListener(name.slice(2), value);
		else if (name === "text")
			element.textContent = value;
		else if (value !== undefined && value !== false)
			element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...children.flat().filter((child) => child !== undefined && child !== null));
	return element;
}

function el(name, attributes, ...children) {
	return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
	return fill(document.createElementNS(SVG, name), attributes, children);
}

function link(text, onclick, more) {
	return el("button", { type: "button", class: "link", text, onclick, ...more });
}

/* ---- numbers ---- */

const plain = new Intl.NumberFormat("en-US");
const signed = new Intl.NumberFormat("en-US", { signDisplay: "exceptZero" });
const percent = new Intl.NumberFormat("en-US",
	{ style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 1 });

function change(before, after) {
	const share = before ? ` (${percent.format((after - before) / before)})` : "";
	return signed.format(after - before) + share;
}

function changeClass(number) {
	return number > 0 ? "number plus" : number < 0 ? "number minus" : "number";
}

function plural(count, word) {
	return `${plain.format(count)} ${word}${count === 1 ? "" : "s"}`;
}
