import { useEffect, useState } from 'react';
import { languages } from '../../../contract/portal-config.ts';
import { devAddresses } from '../../dev-data.ts';
import { widths } from '../../filter.ts';
import { studioAddresses, type StudioCases } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { ChoiceField } from '../controls.tsx';
import type { Studio } from '../use-studio.ts';

/** The cases of a screen as they stand on the disk; null until they were read. */
export function useCases({ read, reading }: Pick<Studio, 'read' | 'reading'>, screen: string): StudioCases | null {
  const [known, setKnown] = useState<{ screen: string; cases: StudioCases | null }>({ screen: '', cases: null });
  useEffect(() => {
    let isOver = false;
    const address = `${studioAddresses.cases}?${new URLSearchParams({ screen })}`;
    if (screen !== '')
      read<StudioCases | null>(address)
        .then((cases) => {
          if (!isOver) setKnown({ screen, cases });
        })
        .catch(() => undefined); // what was read stays until the server is back
    return () => {
      isOver = true;
    };
  }, [read, reading, screen]);
  return known.screen === screen ? known.cases : null;
}

/** The screen as the real engine draws it, with a case, in a language and at a width. */
export function Preview({ screen, cases, reading }: { screen: string; cases: StudioCases | null; reading: number }) {
  const [fixture, setFixture] = useState('');
  const [lang, setLang] = useState<string>(languages[0]);
  const [width, setWidth] = useState<string>(widths[0]);
  const list = cases?.list ?? [];
  const known = list.some(({ name }) => name === fixture) ? fixture : '';
  const src = `${devAddresses.drawing}?${new URLSearchParams({ screen, fixture: known, lang })}`;
  return (
    <>
      <div className="studio-fields">
        <ChoiceField
          label={t('case')}
          value={known}
          options={[['', t('emptyForm')], ...list.map(({ name }) => [name, name] as const)]}
          onChange={setFixture}
        />
        <ChoiceField
          label={t('language')}
          value={lang}
          options={languages.map((language) => [language, t(language)])}
          onChange={setLang}
        />
        <ChoiceField
          label={t('width')}
          value={width}
          options={widths.map((each) => [each, t('px', { width: each })])}
          onChange={setWidth}
        />
      </div>
      <p>{t('onDisk')}</p>
      <div className="studio-frame" tabIndex={0} role="group" aria-label={t('viewOf', { name: screen })}>
        <iframe key={`${src} ${reading}`} src={src} width={width} title={t('viewOf', { name: screen })} />
      </div>
    </>
  );
}
