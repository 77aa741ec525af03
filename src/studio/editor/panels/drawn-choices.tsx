import { Toolbar, ToolbarRadioButton, ToolbarRadioGroup, ToolbarToggleButton } from '@fluentui/react-components';
import { useState } from 'react';
import { languages, type Language } from '../../../contract/portal-config.ts';
import type { Sight } from '../../sight.ts';
import type { StudioCase } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { distinct } from '../titles.ts';
import { ChoiceField } from '../controls.tsx';

/** The widths, in pixels, that a screen is tried at: two phones, a tablet, a computer. */
const widths = ['360', '320', '768', '1280'] as const;

/** What can be switched on. */
const switches = ['dark', 'largeText', 'spoken'] as const;

/** With which case a screen is drawn, in which language, how wide and for what sight; `fields` are what one chooses it by. */
export function useDrawnChoices(list: readonly StudioCase[]) {
  const [fixture, setFixture] = useState('');
  const [checked, setChecked] = useState<Record<string, string[]>>({ lang: [languages[0]], width: [widths[0]] });
  const known = list.find(({ name }) => name === fixture);
  const isOn = (name: (typeof switches)[number]): boolean => checked['on']?.includes(name) ?? false;
  const lang: Language = languages.find((language) => checked['lang']?.includes(language)) ?? languages[0];
  const width = widths.find((each) => checked['width']?.includes(each)) ?? widths[0];
  const sight: Sight = { dark: isOn('dark'), large: isOn('largeText') };
  const fields = (
    <>
      <ChoiceField
        label={t('case')}
        value={known?.name ?? ''}
        options={[['', t('emptyForm')], ...distinct(list.map(({ name, note }) => [name, note || name]))]}
        onChange={setFixture}
      />
      <Toolbar
        aria-label={t('drawnBar')}
        size="small"
        checkedValues={checked}
        onCheckedValueChange={(_, { name, checkedItems }) => setChecked({ ...checked, [name]: checkedItems })}
      >
        <ToolbarRadioGroup aria-label={t('language')}>
          {languages.map((language) => (
            <ToolbarRadioButton key={language} name="lang" value={language}>
              {t(language)}
            </ToolbarRadioButton>
          ))}
        </ToolbarRadioGroup>
        <ToolbarRadioGroup aria-label={t('width')}>
          {widths.map((each) => (
            <ToolbarRadioButton key={each} name="width" value={each}>
              {t('px', { width: each })}
            </ToolbarRadioButton>
          ))}
        </ToolbarRadioGroup>
        {switches.map((name) => (
          <ToolbarToggleButton key={name} name="on" value={name}>
            {t(name)}
          </ToolbarToggleButton>
        ))}
      </Toolbar>
    </>
  );
  return { known, lang, width, sight, isOn, fields };
}
