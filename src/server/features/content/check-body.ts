import { placeholders } from '../../../engine/core/messages.ts';
import type { Complain } from './content-file.ts';
import { contentValueNames, offerNames } from './content-values.ts';
import { imageAliases } from './content.ts';
import { conditionPattern } from './offered.ts';
import type { Outline, Place } from './outline.ts';
import { say } from './say.ts';

/** Checks the parts of a body that need no other file: raw HTML, headings and images. */
export function checkBody({ headings, images, html }: Outline, complain: Complain): void {
  for (const { value, ...place } of html) {
    complain(place, say`Raw HTML is not shown: ${value.slice(0, 40)}`, say`Write it in Markdown, or remove it.`);
  }
  const anchors = new Set<string>();
  let depth = 1;
  for (const heading of headings) {
    if (heading.depth === 1)
      complain(
        heading,
        say`The body has a heading of the first level.`,
        say`The title is the first heading of the page: begin the body with "##".`,
      );
    else if (heading.depth > depth + 1)
      complain(
        heading,
        say`The heading jumps from level ${depth} to ${heading.depth}.`,
        say`Write it with ${'#'.repeat(depth + 1)}.`,
      );
    if (!heading.plain)
      complain(
        heading,
        say`The heading is not plain text.`,
        say`Remove emphasis, links and code: anchors and the table of contents are made of it.`,
      );
    if (anchors.has(heading.anchor))
      complain(
        heading,
        say`Another heading has the anchor "#${heading.anchor}" already.`,
        say`Word one of the two differently.`,
      );
    anchors.add(heading.anchor);
    depth = heading.depth;
  }
  for (const { url, alt, ...place } of images) {
    if (!imageAliases.includes(url))
      complain(place, say`There is no picture "${url}".`, say`Use one of ${imageAliases.join(', ')}.`);
    if (alt.trim() === '')
      complain(
        place,
        say`The picture has no text for who does not see it.`,
        say`Write it in the brackets: ![what it shows](alias).`,
      );
  }
}

/** Checks a whole file for unknown placeholders and conditions, and for a space between the text of a link and its address. */
export function checkPlaceholders(text: string, complain: Complain): void {
  for (const [index, line] of text.split('\n').entries()) {
    for (const name of placeholders(line).filter((found) => !contentValueNames.includes(found))) {
      const place: Place = { line: index + 1, column: line.indexOf(`{${name}}`) + 1 };
      complain(place, say`There is no placeholder {${name}}.`, say`Known: ${contentValueNames.join(', ')}.`);
    }
    const broken = /\] +\((?=[/#]|https?:|mailto:)/.exec(line);
    if (broken)
      complain(
        { line: index + 1, column: broken.index + 1 },
        say`A blank stands between the text of a link and its address: people read both as they stand.`,
        say`Write [text](/address) without a blank.`,
      );
    const at = line.indexOf('{si ');
    const name = conditionPattern.exec(line)?.[2];
    if (at >= 0 && (name === undefined || !offerNames.includes(name))) {
      complain(
        { line: index + 1, column: at + 1 },
        say`This is no condition.`,
        say`End the line with {si x} or {si no x}; known: ${offerNames.join(', ')}.`,
      );
    }
  }
}
