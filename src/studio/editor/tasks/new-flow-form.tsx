import { groupByArea } from '../../dev-view-header.tsx';
import type { FileChange } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import {
  BilingualFields,
  ChoiceField,
  EditTaskForm,
  TextField,
  useFormFields,
  type EditTaskEndCallback,
} from '../form-controls.tsx';
import {
  buildFlowFilePath,
  deriveKeyFromLabel,
  emptyBilingualText,
  listFlowIds,
  type BilingualText,
} from '../definition-set.ts';
import { listScreensByFlow } from '../definition-search.ts';
import { useStudio } from '../use-studio.ts';
import { createNewScreenChanges } from './flow-states.ts';

interface NewFlow {
  readonly name: string;
  readonly path: string;
  readonly area: string;
  readonly title: BilingualText;
}

export function NewFlowForm({ onDone }: { onDone: EditTaskEndCallback }) {
  const { set } = useStudio();
  const [typed, , bind] = useFormFields({ name: '', path: null as string | null, area: '', title: emptyBilingualText });
  const takenNames = [...listFlowIds(set), ...Object.keys(set.texts)];
  const name = typed.name === '' ? deriveKeyFromLabel(typed.title.es, '-', takenNames) : typed.name;
  const flow = { ...typed, name, path: typed.path ?? (name === '' ? '' : `/${name}`) };
  const areas = groupByArea(listScreensByFlow(set)).flatMap(({ area }) => area ?? []);
  return (
    <EditTaskForm title={t('addFlow')} changes={createNewFlowChanges(flow)} added={name} onDone={onDone}>
      <BilingualFields label={t('titleText')} {...bind('title')} required />
      <ChoiceField
        label={t('area')}
        {...bind('area')}
        options={[['', t('noArea')], ...areas.map((area) => [area, area] as const)]}
      />
      <TextField label={t('flowName')} {...bind('name')} value={name} required />
      <TextField label={t('flowPath')} {...bind('path')} value={flow.path} required />
    </EditTaskForm>
  );
}

export function createNewFlowChanges({ name, path, area, title }: NewFlow): readonly FileChange[] {
  if (name === '') return [];
  const value = {
    $schema: '../schemas/_formats/flow.4.schema.json',
    ...(area !== '' && { area }),
    initial: 'inicio',
    states: { inicio: { path, screen: name, on: { submit: { leave: '/' } } } },
  };
  return [
    { file: buildFlowFilePath(name), base: null, edits: [{ pointer: '', value }] },
    ...createNewScreenChanges({ screen: name, title, intro: emptyBilingualText }, ['submit']),
  ];
}
