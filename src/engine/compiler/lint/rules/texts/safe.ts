import { isObject, type Json } from '../../../../core/json.ts';
import { variablesOf } from '../../../../core/logic.ts';
import { placeholders } from '../../../../core/messages.ts';
import { branchesOfState } from '../../../flow/branches-of-state.ts';
import { propertiesOf } from '../../../screen/fields-of-schema.ts';
import { linksOf } from '../../../screen/links-of-ui.ts';
import { textsOf } from '../../../shared/texts.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding, LintedFlow, LintedScreen, Subject } from '../../subject.ts';
import { addressOf } from '../../places.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** Reports HTML tags, entities and Markdown in texts. Texts are shown literally. */
export const textMarkup: LintRule<Subject> = {
  id: 'text/markup',
  severity: 'W',
  find: (subject) =>
    everyText(subject).flatMap(({ file, pointer, text }) => {
      const [sign] = markup.exec(text) ?? [];
      if (sign === undefined) return [];
      return {
        file,
        pointer,
        message: say`A text is drawn as it is written: "${sign}" is read with all its signs.`,
        hint: say`Write words alone. A paragraph is an entry of a list, a link stands in "link" or "links".`,
        fix: [{ file: file.path, pointer, value: plain(text) }],
      };
    }),
};

const markup =
  /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d+|#x[\da-f]+);|\*\*[^*]+\*\*|\[[^\][]+\]\([^()\s]+\)/iu;

const entities: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' };

function plain(text: string): string {
  return text
    .replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/giu, '')
    .replace(/&([a-z]{2,8});/giu, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replace(/\*\*([^*]+)\*\*/gu, '$1')
    .replace(/\[([^\][]+)\]\([^()\s]+\)/gu, '$1');
}

/** Reports secrets in texts: variables with a secret, and literal ones. */
export const textSecret: LintRule<Subject> = {
  id: 'text/secret',
  severity: 'E',
  find: (subject) => [
    ...written(subject),
    ...[...subject.screens.values()].flatMap((screen) => shown(screen, subject)),
  ],
};

/** JSON web tokens, API keys with a vendor prefix, and long runs of letters and digits. */
const secretText =
  /\beyJ[\w-]{8,}\.[\w-]{8,}|\b(?:sk|pk|ghp|xox[bp])[-_]\w{12,}|\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9]{32,}\b/;
const secretName =
  /(?:^|_|\b)(?:token|jwt|secret|secreto|password|pwd|passwd|otp|totp_secret)(?:$|_|\b)|(?:[a-z](?:Token|Secret|Password)$)/;

function written(subject: Subject): readonly Finding[] {
  return everyText(subject).flatMap(({ file, pointer, text }) =>
    secretText.test(text)
      ? {
          file,
          pointer,
          message: say`This text holds what looks like a secret.`,
          hint: say`Remove it, and make another one: this file may have been copied.`,
        }
      : [],
  );
}

function shown({ id, ui, uis, files }: LintedScreen, { flows, screens, set }: Subject): readonly Finding[] {
  const secrets = new Set(
    flows
      .filter(({ flow }) => Object.values(flow.states).some(({ screen }) => screen === id))
      .flatMap((flow) => secretsOf(flow, screens)),
  );
  if (secrets.size === 0 || !files.ui) return [];
  const base = files.ui;
  const texts = [...uis].flatMap(([language, own]) => {
    const isBase = language === set.baseLanguage;
    const file = isBase ? files.ui : files.translations.get(language);
    const all = [...textsOf(own as unknown as Json)]; // definitions are JSON
    return file
      ? all.map(([pointer, text]) => ({ file, pointer: isBase ? pointer : addressOf(base, pointer), text }))
      : [];
  });
  const targets = linksOf(ui).flatMap(([pointer, { to }]) =>
    to === undefined || !files.ui ? [] : [{ file: files.ui, pointer: `${pointer}/to`, text: to }],
  );
  return [...texts, ...targets].flatMap(({ file, pointer, text }) =>
    placeholders(text)
      .filter((name) => secrets.has(name))
      .map((name) => ({
        file,
        pointer,
        message: say`"{${name}}" is a secret: whoever looks at the page, or at a picture of it, would have it.`,
        hint: say`Take it out of the text.`,
      })),
  );
}

/** Returns the variables of a flow that hold a secret, judged by their names and assignments. */
function secretsOf({ flow }: LintedFlow, screens: Subject['screens']): readonly string[] {
  const named = Object.keys(flow.context ?? {}).filter((name) => secretName.test(name));
  const assigned = Object.values(flow.states).flatMap((state) => {
    const fields = propertiesOf(screens.get(state.screen ?? '')?.schema ?? {});
    const isSecret = (path: string) =>
      path.startsWith('form.')
        ? fields[path.slice(5)]?.writeOnly === true
        : secretName.test(path.split('.').at(-1) ?? '');
    return branchesOfState(state).flatMap(({ assign = {} }) =>
      Object.entries(assign).flatMap(([name, template]) => (variablesOf(template).some(isSecret) ? [name] : [])),
    );
  });
  return [...named, ...assigned];
}

function everyText(subject: Subject) {
  return subject.set.languages
    .flatMap((language) => textsIn(language, subject))
    .filter(({ file }) => isObject(file.value));
}
