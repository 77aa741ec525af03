import { findByPointer } from '../../../../core/json-pointer.ts';
import { matchPath } from '../../../../core/route.ts';
import { listFlowRoutes } from '../../../flow/flow-queries.ts';
import { listUiLinks } from '../../../screen/schema-fields.ts';
import { explain } from '../../../sources/localized-text.ts';
import type { LintInput } from '../../lint-input.ts';
import {
  checkEachScreenWith,
  checkEachTextByRulesWith,
  createDefinitionsLintRule,
  createFindingAt,
  type FindViolations,
  readNothing,
} from '../../lint-rule.ts';
import { listNormalizedWords, maskUncheckedTextParts } from '../../wording/words.ts';
import { groupBy } from '../../../../core/json.ts';

const vagueTexts = checkEachTextByRulesWith('text/link vague', readNothing, ({ vague = [] }) => {
  const known = new Set(vague.map((entry) => listNormalizedWords(entry).join(' ')));
  const isVague = (text: string) => {
    const words = listNormalizedWords(text);
    return known.has(words.join(' ')) || (words.length > 2 && known.has(words.slice(1).join(' '))); // a verb may precede a phrase: "haga clic aquí"
  };
  return ({ file, pointer, origin, text }) => {
    const isPressed = /\/(?:link|other|(?:actions|links|ui:links)\/\d+)\/text$/.test(origin.pointer);
    if (!isPressed || !isVague(text)) return null;
    return createFindingAt({ file, pointer })(explain`The link text "${text}" does not describe its target.
      Describe the target in the link text: screen readers list links without their context.`);
  };
});

/** Matches an address on the computer of the author. Captures the part after the host and port. */
const localAddress = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?=[/?#]|$)(.*)$/i;

const addresses = checkEachScreenWith(function* ({ ui, files: { ui: file } }) {
  for (const [at, { to = '' }] of listUiLinks(ui)) {
    const pointer = `${at}/to`;
    if (findByPointer(file.value, pointer) !== to) continue; // skip links of shared notices, which are not in this file
    const value = to.replace(/^http:/, 'https:');
    const [, kind, address = ''] = /^(mailto|tel):(.*)$/.exec(to.replaceAll(/\{\w+\}/g, 'a@1')) ?? [];
    const isAddress = kind === 'tel' ? /^\+?[\d@a-]+$/ : /^[^@\s]+@[^@\s?]+/;
    const [, path] = localAddress.exec(to) ?? [];
    if (path !== undefined)
      yield createFindingAt({
        file,
        pointer,
        value: path || '/',
      })(explain`"${to}" opens only on the computer of whoever wrote it.
        Write the path: "${path || '/'}".`);
    else if (to.startsWith('http://'))
      yield createFindingAt({ file, pointer, value })(explain`"${to}" is not encrypted: browsers warn about it.
        Write "${value}".`);
    else if (kind !== undefined && !isAddress.test(address))
      yield createFindingAt({ file, pointer })(explain`"${to}" is not a valid e-mail address or phone number.
        Write "mailto:name@example.com" or "tel:+59821501000".`);
  }
});

/** Matches an address with a path, or only a path. Captures the address on the computer of the author, and the path. */
const writtenAddress =
  /(?:(?:https?:\/\/)?(?:(localhost|127\.0\.0\.1)(?::\d+)?|(?<![\w@.-])(?:[\w-]+\.)+[a-z]{2,})|(?<=^|[\s«“"(])(?=\/[a-z]))(\/[\w%\p{L}./-]*[\w%\p{L}]|(?=[\s).,;:]|$))/giu;

/**
 * Finds addresses of the portal's own pages in a text, because they differ between installations. Ignores a path of one segment on another host,
 * because many sites have a page such as /contacto.
 */
export function findOwnAddresses(text: string, paths: readonly string[]): readonly (readonly [string, string])[] {
  const isOwn = (path: string) => paths.some((own) => matchPath(own, path.normalize('NFC')) !== null);
  return [...maskUncheckedTextParts(text, []).matchAll(writtenAddress)].flatMap(([address, local, path = '']) =>
    local !== undefined || ((address === path || path.split('/').length > 2) && isOwn(path))
      ? [[address, path || '/'] as const]
      : [],
  );
}

const ownAddresses = checkEachTextByRulesWith(
  'text/link address',
  ({ flows }: LintInput) => flows.flatMap(({ flow }) => listFlowRoutes(flow).map(({ path }) => path)),
  (_, paths) =>
    ({ file, pointer, text }) =>
      findOwnAddresses(text, paths).map(([address, path]) =>
        createFindingAt({ file, pointer })(explain`"${address}" is an address of one installation of the portal.
          Remove it from the text, and add a link with "to": "${path}".`),
      ),
);

/** Minimum number of other links with the same text from which their common target is the right one. */
const minEqualLinks = 2;

/** Reports a link whose text leads elsewhere in all other links. Probably only the text of a copied link was changed, and not its target. */
const unusualTargets: FindViolations = ({ screens }) => {
  const links = [...screens.values()].flatMap(({ ui, files: { ui: file } }) =>
    listUiLinks(ui).flatMap(([at, { to, text }]) =>
      to !== undefined && findByPointer(file.value, `${at}/to`) === to ? [{ file, pointer: `${at}/to`, to, text }] : [],
    ),
  );
  return [...groupBy(links, ({ text }) => listNormalizedWords(text).join(' ')).values()].flatMap((equal) => {
    const isCopied = (link: (typeof links)[number]) =>
      links.some((other) => other !== link && other.file === link.file && other.to === link.to);
    const odd = equal.find((link) => {
      const others = equal.filter(({ to }) => to !== link.to);
      const isOnlyOne = equal.length - others.length === 1 && new Set(others.map(({ to }) => to)).size === 1;
      return isOnlyOne && (others.length >= minEqualLinks || isCopied(link));
    });
    const value = equal.find(({ to }) => to !== odd?.to)?.to;
    if (!odd || value === undefined) return [];
    return createFindingAt({ ...odd, value })(explain`"${odd.text}" leads to "${value}" elsewhere.
      Write "${value}", or another text.`);
  });
};

export const linkLintRule = createDefinitionsLintRule(
  'text/link',
  'W',
  addresses,
  vagueTexts,
  ownAddresses,
  unusualTargets,
);
