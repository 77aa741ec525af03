import { useState } from 'react';
import { languages, type Language } from '../../../contract/portal-config.ts';
import type { Sight } from '../../sight.ts';
import type { StudioCase } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { distinct } from '../titles.ts';
import { CheckField, ChoiceField } from '../controls.tsx';

/** The widths, in pixels, that a screen is tried at: two phones, a tablet, a computer. */
const widths = ['360', '320', '768', '1280'] as const;

/** With which case a screen is drawn, in which language, how wide and for what sight; `fields` are what one chooses it by. */
export function useDrawnChoices(list: readonly StudioCase[]) {
  const [fixture, setFixture] = useState('');
  const [lang, setLang] = useState<Language>(languages[0]);
  const [width, setWidth] = useState<string>(widths[0]);
  const [sight, setSight] = useState<Sight>({ dark: false, large: false });
  const known = list.find(({ name }) => name === fixture);
  const fields = (
    <>
      <ChoiceField
        label={t('case')}
        value={known?.name ?? ''}
        options={[['', t('emptyForm')], ...distinct(list.map(({ name, note }) => [name, note || name]))]}
        onChange={setFixture}
      />
      <ChoiceField
        label={t('language')}
        value={lang}
        options={languages.map((language) => [language, t(language)])}
        onChange={(next) => setLang(languages.find((language) => language === next) ?? lang)}
      />
      <ChoiceField
        label={t('width')}
        value={width}
        options={widths.map((each) => [each, t('px', { width: each })])}
        onChange={setWidth}
      />
      <CheckField label={t('dark')} checked={sight.dark} onChange={(dark) => setSight({ ...sight, dark })} />
      <CheckField label={t('largeText')} checked={sight.large} onChange={(large) => setSight({ ...sight, large })} />
    </>
  );
  return { known, lang, width, sight, fields };
}
