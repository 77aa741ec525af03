import flowFormat from './flow.4.schema.json' with { type: 'json' };
import screenFormat from './screen.schema.json' with { type: 'json' };
import uiFormat from './ui.schema.json' with { type: 'json' };
import { localize, type LocalizedText } from '../sources/localized-text.ts';

interface KeywordPlace {
  readonly file: 'flow' | 'screen' | 'ui';
  readonly description: LocalizedText;
  readonly keywords: readonly string[];
}

const uiField = uiFormat.$defs.field.properties;
const ambiguous = new Set(['$schema', '$comment', 'description', 'type']); // keywords of several places

/** Places of the files of a screen and of flows, each with its keywords. */
const places: readonly KeywordPlace[] = [
  {
    file: 'ui',
    description: localize`in "ui:options" of the field, in ui.json`,
    keywords: Object.keys(uiField['ui:options'].properties),
  },
  { file: 'ui', description: localize`in the field, within "fields" of ui.json`, keywords: Object.keys(uiField) },
  { file: 'ui', description: localize`in ui.json`, keywords: ['fields'] },
  { file: 'ui', description: localize`in ui.json, beside "fields"`, keywords: Object.keys(uiFormat.properties) },
  {
    file: 'ui',
    description: localize`in a button of "actions" of ui.json`,
    keywords: Object.keys(uiFormat.properties.actions.items.properties),
  },
  {
    file: 'ui',
    description: localize`in a link of "links" of ui.json`,
    keywords: Object.keys(uiFormat.$defs.link.properties),
  },
  {
    file: 'screen',
    description: localize`in schema.json, beside "properties"`,
    keywords: [...Object.keys(screenFormat.properties), 'required'],
  },
  {
    file: 'screen',
    description: localize`in the field of schema.json`,
    keywords: Object.keys(screenFormat.$defs.field.properties).filter((key) => key !== 'required'),
  },
  {
    file: 'flow',
    description: localize`in a branch of the flow, such as an event in "on"`,
    keywords: Object.keys(flowFormat.$defs.branch.properties),
  },
  {
    file: 'flow',
    description: localize`beside the "src" of an operation of the flow`,
    keywords: Object.keys(flowFormat.$defs.effect.properties),
  },
  {
    file: 'flow',
    description: localize`in a state of the flow`,
    keywords: Object.keys(flowFormat.$defs.state.properties),
  },
  {
    file: 'flow',
    description: localize`in the flow, beside "states"`,
    keywords: Object.keys(flowFormat.properties).filter((key) => key !== 'title'), // in a state, the title of its screen is meant
  },
  {
    file: 'flow',
    description: localize`in "context" of the flow`,
    keywords: Object.keys(flowFormat.properties.context.properties),
  },
];

/** Says where a keyword belongs, preferably in a file of the kind `file`. Returns `undefined` for a word that is no keyword. */
export function describeKeywordPlace(keyword: string, file: KeywordPlace['file']): LocalizedText | undefined {
  if (ambiguous.has(keyword)) return undefined;
  const homes = places.filter(({ keywords }) => keywords.includes(keyword));
  const home = homes.find((place) => place.file === file) ?? homes[0];
  return home && localize`It belongs ${home.description}.`;
}
