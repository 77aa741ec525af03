import { groupsOfName, stepsOfName } from '../../core/field-path.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { CheckedScreen } from '../screen/checked-screen.ts';
import { groupsOf, propertiesOf, requiredOf, withField } from '../screen/fields-of-schema.ts';

/** A screen with one rule less, or one that says something else. */
export interface Mutant {
  readonly field: string;
  /** What was changed: a keyword, with how much its limit was moved or the choice that is gone, `required`, or `visible`. */
  readonly rule: string;
  readonly screen: CheckedScreen;
  /** Values of the field that may tell it from the screen itself; `undefined`: without a value. */
  readonly candidates: readonly (Json | undefined)[];
}

/** Every mutant of a screen: a rule dropped, a limit moved by one, an anchor or a choice gone. Types and texts are left as they are. */
export function mutantsOf(screen: CheckedScreen): readonly Mutant[] {
  const { schema } = screen;
  if (!schema) return [];
  const properties = propertiesOf(schema);
  const ofFields = Object.entries(properties).flatMap(([name, field]) =>
    changesOf(field).map(([rule, changed, candidates]): Mutant => {
      return { field: name, rule, screen: { ...screen, schema: withField(schema, name, changed) }, candidates };
    }),
  );
  const groups = groupsOf(schema);
  const asked = (holder: JsonObject, within: string) => requiredOf(holder).map((step) => within + step);
  const names = [...asked(schema, ''), ...Object.entries(groups).flatMap(([name, group]) => asked(group, `${name}.`))];
  const ofRequired = names.map((name): Mutant => {
    return {
      field: name,
      rule: 'required',
      screen: { ...screen, schema: optional(schema, name) },
      candidates: [undefined],
    };
  });
  const { visible = {} } = screen.ui;
  const ofVisible = Object.keys(visible).map((name): Mutant => {
    const rest = Object.fromEntries(Object.entries(visible).filter(([other]) => other !== name));
    const uis = new Map([...screen.uis].map(([language, ui]) => [language, { ...ui, visible: rest }]));
    return {
      field: name,
      rule: 'visible',
      screen: { ...screen, ui: { ...screen.ui, visible: rest }, uis },
      candidates: [undefined],
    };
  });
  return [...ofFields, ...ofRequired, ...ofVisible];
}

/** A schema in which a field, or an object of fields, may stay empty. */
function optional(schema: JsonObject, name: string): JsonObject {
  const group = groupsOfName(name).at(-1);
  const holder = group === undefined ? schema : (groupsOf(schema)[group] ?? {});
  const step = stepsOfName(name).at(-1);
  const changed = { ...holder, required: requiredOf(holder).filter((other) => other !== step) };
  return group === undefined ? changed : withField(schema, group, changed);
}

type FieldChange = readonly [rule: string, changed: JsonObject, candidates: readonly (Json | undefined)[]];

function changesOf(field: JsonObject): readonly FieldChange[] {
  return Object.entries(field).flatMap(([keyword, value]): readonly FieldChange[] => {
    const { [keyword]: _, ...without } = field;
    const moved = (by: number): JsonObject => ({ ...field, [keyword]: Number(value) + by });
    switch (keyword) {
      case 'maxLength':
        return [
          [`${keyword} +1`, moved(1), [longText(Number(value) + 1)]],
          [`${keyword} -1`, moved(-1), [longText(Number(value))]],
        ];
      case 'minLength':
        return [
          [`${keyword} -1`, moved(-1), [longText(Number(value) - 1)]],
          [`${keyword} +1`, moved(1), [longText(Number(value))]],
        ];
      case 'minimum':
        return [
          [`${keyword} -1`, moved(-1), [Number(value) - 1]],
          [`${keyword} +1`, moved(1), [Number(value)]],
        ];
      case 'maximum':
        return [
          [`${keyword} +1`, moved(1), [Number(value) + 1]],
          [`${keyword} -1`, moved(-1), [Number(value)]],
        ];
      case 'pattern':
        return patternChanges(field, String(value), without);
      case 'enum':
        return Array.isArray(value)
          ? value.map((choice: Json): FieldChange => [
              `${keyword} ${JSON.stringify(choice)}`,
              { ...field, enum: value.filter((other: Json) => other !== choice) },
              [choice],
            ])
          : [];
      case 'const':
        return [[keyword, without, [typeof value === 'boolean' ? !value : `${String(value)}x`]]];
      case 'format':
        return [[keyword, without, ['x']]];
      default:
        return [];
    }
  });
}

function patternChanges(field: JsonObject, pattern: string, without: JsonObject): readonly FieldChange[] {
  const examples = ['x', '1', '-', ' ', '_'];
  return [
    ['pattern', without, examples],
    ...(pattern.startsWith('^') ? [['pattern ^', { ...field, pattern: pattern.slice(1) }, []] as const] : []),
    ...(pattern.endsWith('$') ? [['pattern $', { ...field, pattern: pattern.slice(0, -1) }, []] as const] : []),
  ];
}

function longText(length: number): string {
  return 'a'.repeat(Math.max(0, length));
}
