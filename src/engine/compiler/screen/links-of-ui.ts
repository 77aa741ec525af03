import type { LinkText, Paragraph, Ui } from '../../core/definition.ts';
import { linksOfField, uiOf } from '../../core/ui.ts';
import { escapePointer } from '../../core/json-pointer.ts';

export function linksOf(ui: Ui): readonly (readonly [pointer: string, link: LinkText])[] {
  const list = (links: readonly LinkText[] | undefined, pointer: string) =>
    (links ?? []).map((link, index) => [`${pointer}/${index}`, link] as const);
  return [
    ...list(ui.links, '/links'),
    ...paragraphsOf(ui.intro).flatMap(({ link }, index) => (link ? [[`/intro/${index}/link`, link] as const] : [])),
    ...Object.keys(ui.fields ?? {}).flatMap((name) =>
      list(linksOfField(uiOf(ui, name)), `/fields/${escapePointer(name)}/ui:links`),
    ),
    ...(ui.aside?.parts ?? []).flatMap(({ links }, index) => list(links, `/aside/parts/${index}/links`)),
    ...Object.entries(ui.notices ?? {}).flatMap(([name, notice]) =>
      (['link', 'other'] as const).flatMap((part) => {
        const link = notice[part];
        return link ? [[`/notices/${escapePointer(name)}/${part}`, link] as const] : [];
      }),
    ),
  ];
}

export function paragraphsOf(texts: Ui['intro']): readonly Paragraph[] {
  return typeof texts === 'object' ? texts : [];
}
