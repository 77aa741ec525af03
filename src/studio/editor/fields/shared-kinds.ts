import type { StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import type { Both } from '../tasks/screen-tasks.ts';

/** Shared definition with a label. Its fields need no rules or texts of their own. */
export interface SharedKind {
  /** `$ref`, relative to the folder of a screen. */
  readonly reference: string;
  readonly label: Both;
}

/** Returns the shared definitions that have a label and can therefore be used as fields. */
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
        at = behind.slice(1); // in the same file
      }
      return undefined;
    };
    const [es, pt] = [labelIn(path), labelIn(path.replace(/json$/, 'pt.json'))];
    return es === undefined || pt === undefined ? [] : [{ reference, label: { es, pt } }];
  });
}
