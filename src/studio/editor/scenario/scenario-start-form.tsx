import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { featureFlagDefaults, type FeatureFlagName, type FeatureFlags } from '../../../contract/feature-flags.ts';
import type { Flow } from '../../../engine/core/flow-and-screen-types.ts';
import type { ScenarioPersona, PersonaAssuranceLevel } from '../../dev-page-data.ts';
import { parseJsonOrUndefined } from '../../json-values.ts';
import { getFlagTitle, t } from '../../texts.ts';
import { omitEmptyProperties, type Scenario } from '../../scenario/scenario.ts';
import { CheckboxField, ChoiceField, SubmitForm, TextField, useFormFields } from '../form-controls.tsx';
import { useStudio } from '../use-studio.ts';
import { isObject, type ValuesByName } from '../../../engine/core/json.ts';

const flagNames = Object.keys(featureFlagDefaults) as readonly FeatureFlagName[]; // `Object.keys` returns `string[]`

interface ScenarioUser {
  /** Sample citizen who is signed in. `null` for an anonymous user. */
  readonly persona: ScenarioPersona | null;
  /** Assurance level in place of the persona's own. `null` keeps the persona's level. */
  readonly level: PersonaAssuranceLevel | null;
  readonly hasFactor: boolean;
  /** Whether the user has just confirmed the password or another proof. */
  readonly isProven: boolean;
  readonly flags: FeatureFlags;
  readonly others: ValuesByName;
}

const anonymousUser: ScenarioUser = {
  persona: null,
  level: null,
  hasFactor: false,
  isProven: false,
  flags: featureFlagDefaults,
  others: {},
};

function buildFacts({ persona, level, hasFactor, isProven, flags, others }: ScenarioUser): ValuesByName {
  const changed = flagNames.some((name) => flags[name] !== featureFlagDefaults[name]);
  const user = persona && {
    ...persona.user,
    ...level?.user,
    identidad_verificada: isProven,
    segundo_factor_pendiente:
      !hasFactor && (level?.requiresFactor ?? persona.user['segundo_factor_pendiente'] === true),
    ...(hasFactor && { acr: 'urn:iduruguay:nid:2' }),
  };
  return { ...(user && { user, authenticated: true }), ...(changed && { flags }), ...others };
}

interface StartFormProps {
  readonly flow: Flow;
  readonly states: Readonly<Record<string, string>>;
  readonly walks: readonly Scenario[];
  /** Names of the saved scenarios whose replay differs from what they expect. */
  readonly broken: readonly string[];
  readonly walk: Scenario;
  readonly onStart: (walk: Scenario) => void;
}

export function ScenarioStartForm({ flow, states, walks, broken, walk, onStart }: StartFormProps) {
  const [{ search, who, others, at }, change, bind] = useFormFields({
    at: '',
    search: '',
    who: anonymousUser,
    others: '',
  });
  const [isBroken, setBroken] = useState(false);
  const start = (): void => {
    const read = others.trim() === '' ? {} : parseJsonOrUndefined(others);
    setBroken(!isObject(read));
    if (!isObject(read)) return;
    const query = search === '' || search.startsWith('?') ? search : `?${search}`;
    onStart({ name: '', ...omitEmptyProperties({ at, search: query, facts: buildFacts({ ...who, others: read }) }) });
  };
  return (
    <SubmitForm label={t('walkStart')} onSubmit={start}>
      <div className="studio-fields">
        <ChoiceField
          label={t('keptWalk')}
          value={walks.some(({ name }) => name === walk.name) ? walk.name : ''}
          options={[
            ['', t('newWalk')],
            ...walks.map(({ name }) => [name, broken.includes(name) ? t('brokenWalk', { name }) : name] as const),
          ]}
          onChange={(name) => onStart(walks.find((own) => own.name === name) ?? { name: '' })}
        />
        <ChoiceField
          label={t('walkAt')}
          {...bind('at')}
          options={[
            ['', states[flow.initial] ?? flow.initial],
            ...Object.keys(flow.states)
              .filter((name) => name !== flow.initial)
              .map((name) => [name, states[name] ?? name] as const),
          ]}
        />
        <TextField label={t('walkSearch')} {...bind('search')} />
        <ScenarioUserFields who={who} onChange={(next) => change({ who: next })} />
        <TextField label={t('walkFacts')} {...bind('others')} long />
      </div>
      {isBroken && <p role="alert">{t('walkFactsBroken')}</p>}
      <Button type="submit" appearance="primary">
        {t('walkBegin')}
      </Button>
    </SubmitForm>
  );
}

function ScenarioUserFields({ who, onChange }: { who: ScenarioUser; onChange: (who: ScenarioUser) => void }) {
  const { personas, levels } = useStudio().referenceData;
  const box = (label: string, checked: boolean, change: (checked: boolean) => ScenarioUser) => (
    <CheckboxField key={label} label={label} value={checked} onChange={(isNow) => onChange(change(isNow))} />
  );
  return (
    <>
      <ChoiceField
        label={t('persona')}
        value={who.persona?.kind ?? ''}
        options={[
          ['', t('personaGuest')],
          ...personas.map(({ kind, name }) => [kind, t('personaNamed', { name, kind: t(`persona-${kind}`) })] as const),
        ]}
        onChange={(kind) => onChange({ ...who, persona: personas.find((one) => one.kind === kind) ?? null })}
      />
      {who.persona && (
        <>
          <ChoiceField
            label={t('personaLevel')}
            value={who.level?.name ?? ''}
            options={[['', t('personaLevelOwn')], ...levels.map(({ name }) => [name, name] as const)]}
            onChange={(name) => onChange({ ...who, level: levels.find((one) => one.name === name) ?? null })}
          />
          {box(t('personaFactor'), who.hasFactor, (hasFactor) => ({ ...who, hasFactor }))}
          {box(t('personaProven'), who.isProven, (isProven) => ({ ...who, isProven }))}
        </>
      )}
      <details>
        <summary>{t('walkFlags')}</summary>
        {flagNames.map((name) =>
          box(getFlagTitle(name), who.flags[name], (on) => ({ ...who, flags: { ...who.flags, [name]: on } })),
        )}
      </details>
    </>
  );
}
