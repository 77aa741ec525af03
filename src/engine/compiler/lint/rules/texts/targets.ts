import { textTable } from '../../../files/plugin-table.ts';
import { guess } from '../../../sources/suggest-name.ts';
import { explain, say } from '../../../sources/say.ts';
import type { Localized } from '../../../localized.ts';
import { groupBy } from '../../subject.ts';
import { eachScreen, eachWording, type Finding, reportAt, setRule } from '../../rule.ts';
import { textsIn } from '../../wording/read-texts.ts';
import { isObject } from '../../../../core/json.ts';
import { escapePointer, valueAt, walkJson } from '../../../../core/json-pointer.ts';
import { wordFinder, wordsIn, countWords } from '../../wording/own-words.ts';
import { listLinks } from '../../../screen/fields-of-ui.ts';
import type { SourceFile, SourceLocation } from '../../../sources/source-file.ts';

/** Reports identical notices, messages, field texts and branches that could be shared. Other texts cannot be shared. */
export const textAgain = setRule('text/again', 'N', ({ screens, set }) => {
  const uis = [...screens.values()].map(({ files }) => files.ui);
  const ofFields = uis.flatMap((file) => [...listMessages(file), ...listFieldTexts(file, '/fields')]);
  return [
    ...again(uis.flatMap(listNotices), say`Write it once in schemas/_shared/notices.json.`),
    ...again(ofFields, say`Write it once with the field, in a definition of schemas/_shared.`),
    ...set.flows.flatMap((flow) => again(listWrittenBranches(flow), say`Write it once in "branches" of the flow.`)),
  ];
});

/** Minimum number of places with the same content. */
const often = 3;
/** Texts with fewer words and fewer characters may repeat, e.g. "Código". */
const [fewWords, fewSigns] = [4, 25];
/** Shorter branches, in characters of JSON, are easier to read than the name of a shared one. */
const shortBranch = 60;

type Place = SourceLocation & { readonly content: string };

function again(places: readonly Place[], hint: Localized): readonly Finding[] {
  return [...groupBy(places, ({ content }) => content).values()].flatMap(([first, ...others]) => {
    if (!first || others.length + 1 < often) return [];
    const related = others.map(({ file, pointer }) => ({ file: file.path, pointer }));
    return reportAt({ file: first.file, pointer: first.pointer, related })(explain`
      The same stands at ${others.length + 1} places.
      ${hint}`);
  });
}

function listNotices(file: SourceFile): readonly Place[] {
  return listEntries(file, '/notices').map(({ place, name, value }) => {
    return { ...place, content: JSON.stringify([name, value]) };
  });
}

function listMessages(file: SourceFile): readonly Place[] {
  const messages = listEntries(file, '/messages').flatMap(({ place }) => listEntries(file, place.pointer));
  return messages.map(({ place, name, value }) => ({ ...place, content: JSON.stringify([name, value]) }));
}

function listFieldTexts(file: SourceFile, at: string): readonly Place[] {
  return listEntries(file, at).flatMap(({ place, name, value }) => {
    if (!name.startsWith('ui:')) return listFieldTexts(file, place.pointer); // a field, or one nested in an object or a list
    const isShared = ['ui:title', 'ui:help', 'ui:placeholder'].includes(name);
    const isLong = typeof value === 'string' && (value.length >= fewSigns || countWords(value) >= fewWords);
    return isShared && isLong ? [{ ...place, content: JSON.stringify([name, value]) }] : [];
  });
}

function listEntries(file: SourceFile, pointer: string) {
  const value = valueAt(file.value, pointer);
  return Object.entries(isObject(value) ? value : {}).map(([name, part]) => {
    return { place: { file, pointer: `${pointer}/${escapePointer(name)}` }, name, value: part };
  });
}

function listWrittenBranches(file: SourceFile): readonly Place[] {
  const states = valueAt(file.value, '/states') ?? null;
  return [...walkJson(states, '/states')].flatMap(([pointer, value]) => {
    const isBranch = isObject(value) && ['target', 'leave', 'branches'].some((word) => Object.hasOwn(value, word));
    const content = isBranch ? JSON.stringify(value) : '';
    return content.length >= shortBranch ? [{ file, pointer, content }] : [];
  });
}

const vagueTexts = eachWording(({ vague = [] }) => {
  const known = new Set(vague.map((entry) => wordsIn(entry).join(' ')));
  return ({ file, pointer, origin, text }) => {
    const isPressed = /\/(?:link|other|(?:actions|links|ui:links)\/\d+)\/text$/.test(origin.pointer);
    if (!isPressed || !known.has(wordsIn(text).join(' '))) return null;
    return reportAt({ file, pointer })(explain`"${text}" does not say where it leads.
      Say it in the link itself: whoever hears the list of links hears nothing else.`);
  };
});

const addresses = eachScreen(function* ({ ui, files: { ui: file } }) {
  for (const [at, { to = '' }] of listLinks(ui)) {
    const pointer = `${at}/to`;
    if (valueAt(file.value, pointer) !== to) continue; // in a shared notice
    const value = to.replace(/^http:/, 'https:');
    const [, kind, address = ''] = /^(mailto|tel):(.*)$/.exec(to.replaceAll(/\{\w+\}/g, 'a@1')) ?? [];
    const isAddress = kind === 'tel' ? /^\+?[\d@a-]+$/ : /^[^@\s]+@[^@\s?]+/;
    if (to.startsWith('http://'))
      yield reportAt({ file, pointer, value })(explain`"${to}" is not encrypted: browsers warn of it.
        Write "${value}".`);
    else if (kind !== undefined && !isAddress.test(address))
      yield reportAt({ file, pointer })(explain`"${to}" is no address that can be written to or called.
        Write "mailto:name@example.com" or "tel:+59821501000".`);
  }
});

/** Reports link and button texts that are meaningless out of context, as in the list of links of a screen reader, and invalid addresses. */
export const textLink = setRule('text/link', 'W', addresses, vagueTexts);

const contradictions = eachWording(({ success = [], failure = [] }) => {
  const [goodIn, badIn] = [wordFinder(success), wordFinder(failure)];
  return ({ file, pointer, origin, text }) => {
    const isTitle = /^\/title(?:\/\d+\/text)?$/.test(origin.pointer);
    const own = valueAt(origin.file.value, isTitle ? '' : origin.pointer.replace(/\/text$/, ''));
    const key = isTitle ? 'tone' : 'intent';
    const intent = isObject(own) ? own[key] : undefined;
    const [[good], [bad]] = [goodIn(text), badIn(text)];
    const found = intent === 'success' ? bad : intent === 'error' && !bad ? good : undefined;
    if (!found || !(isTitle || origin.pointer.endsWith('/text'))) return null;
    return reportAt({ file, pointer })({
      message: isTitle
        ? say`"${found.word}" is the title of a screen whose tone is "${String(intent)}".`
        : say`"${found.word}" is said in a notice whose intent is "${String(intent)}".`,
      hint: say`Write "${intent === 'success' ? 'error' : 'success'}" in "${key}", or say what went ${intent === 'success' ? say`well` : say`wrong`}.`,
    });
  };
});

/** Reports notices and screens whose intent or tone contradicts their text. */
export const textIntent = setRule('text/intent', 'W', contradictions);

const missingButtons = eachWording(({ press = [] }, subject, language) => {
  if (press.length === 0) return null;
  const asked = new RegExp(String.raw`(?<!\p{L})(?:${press.join('|')}) [«“"]([^»”"{]+)[»”"]`, 'giu');
  const ofPlugins = [...subject.set.plugins.byName.values()].map(({ texts }) => textTable(texts, language));
  const ownTexts = textsIn(language, subject).map(({ text }) => text);
  const names = new Set([...ownTexts, ...ofPlugins.flatMap((table) => Object.values(table))]);
  return function* ({ file, pointer, text }) {
    for (const [, name = ''] of text.matchAll(asked))
      if (!names.has(name))
        yield reportAt({ file, pointer })(explain`Nothing is called "${name}".
          ${guess(name, names)}Write the text of the button as it stands there.`);
  };
});

/** Reports texts that mention a button that does not exist. The button was probably renamed. */
export const textButton = setRule('text/button', 'W', missingButtons);
