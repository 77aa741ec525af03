import type { StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import type { Both } from '../tasks/screen-tasks.ts';

/** A definition that several screens share, with its label in each language: its fields need no rule and no text of their own. */
export interface SharedKind {
  /** Of `$ref`, from a screen's folder. */
  readonly reference: string;
  readonly label: Both;
}

/** The shared definitions with a label, which are fields as they stand. */
export function sharedKinds(set: StudioSet): readonly SharedKind[] {
  return set.shared.definitions.flatMap((reference) => {
    const [path = '', pointer = ''] = reference.replace('../', 'schemas/').split('#');
    const labelIn = (file: string): string | undefined => {
      let at = pointer;
      for (let depth = 0; depth < 5; depth += 1) {
        const own = valueIn(set, file, `${at}/ui/ui:title`);
        const behind = valueIn(set, path, `${at}/$ref`);
        if (typeof own === 'string') return own;
        if (typeof behind !== 'string' || !behind.startsWith('#')) return undefined;
        at = behind.slice(1); // of the same file
      }
      return undefined;
    };
    const [es, pt] = [labelIn(path), labelIn(path.replace(/json$/, 'pt.json'))];
    return es === undefined || pt === undefined ? [] : [{ reference, label: { es, pt } }];
  });
}
