import { useEffect, useEffectEvent, useState } from 'react';
import type { Language } from '../../../contract/portal-config.ts';
import type { ProposalView } from '../../proposal-data.ts';
import { t } from '../../texts.ts';
import { ChoiceField } from '../controls.tsx';
import { useDrawnChoices } from '../panels/drawn-choices.tsx';
import { DrawnFrame } from '../panels/drawn-frame.tsx';
import { orderOf, useCases } from '../panels/preview.tsx';
import { titleOf } from '../titles.ts';
import type { Studio } from '../use-studio.ts';

/** One screen of a proposal as it is drawn before and after it, with a case, in a language and at a width. */
export function Pictures({ studio, view }: { studio: Studio; view: ProposalView }) {
  const [screen, setScreen] = useState(view.screens[0] ?? '');
  const { known, lang, width, sight, fields } = useDrawnChoices(useCases(studio, screen)?.list ?? [], [
    'dark',
    'largeText',
  ]);
  const urls = useUrls(studio, view, { screen, lang });
  return (
    <>
      <h3>{t('proposalScreens')}</h3>
      <ChoiceField
        label={t('picturedScreen')}
        value={screen}
        options={view.screens.map((name) => [name, titleOf(studio.set, name)])}
        onChange={setScreen}
      />
      {fields}
      {(['before', 'after'] as const).map((when) => {
        const url = urls?.[when];
        const name = t(when === 'before' ? 'before' : 'after_');
        return (
          <figure key={when} className="studio-picture">
            <figcaption>{name}</figcaption>
            {url === null ? (
              <p>{t('undrawable')}</p>
            ) : (
              <DrawnFrame
                screen={screen}
                lang={lang}
                width={width}
                order={url === undefined ? null : orderOf(url, sight, known)}
                title={t('pictureOf', { name: titleOf(studio.set, screen), when: name })}
              />
            )}
          </figure>
        );
      })}
    </>
  );
}

/** Where the screen stands compiled before and after a proposal; null: it cannot be drawn. */
function useUrls(
  { draw }: Pick<Studio, 'draw'>,
  { before, after, head }: ProposalView,
  { screen, lang }: { readonly screen: string; readonly lang: Language },
): Readonly<Record<'before' | 'after', string | null>> | null {
  const of = `${head} ${screen} ${lang}`;
  const [known, setKnown] = useState<{
    readonly of: string;
    readonly urls: Readonly<Record<'before' | 'after', string | null>>;
  }>();
  const urlsNow = useEffectEvent(async () => {
    const urlOf = async (changes: ProposalView['before']): Promise<string | null> => {
      const answer = await draw({ screen, language: lang, changes });
      return answer.outcome === 'drawn' ? answer.url : null;
    };
    return { before: await urlOf(before), after: await urlOf(after) };
  });
  useEffect(() => {
    let isOver = false;
    void urlsNow().then((urls) => !isOver && setKnown({ of, urls }));
    return () => {
      isOver = true;
    };
  }, [of]);
  return known?.of === of ? known.urls : null;
}
