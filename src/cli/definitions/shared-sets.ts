import { setTimeout as wait } from 'node:timers/promises';
import type { Change } from '../../engine/compiler/compare/change.ts';
import type { DefinitionsOptions } from '../../engine/compiler/definitions.ts';
import type { DefinitionSets, PlacedSet, ServingReplica } from '../../server/platform/definitions/sets.ts';
import { tryFiles } from './take-back.ts';

/** The sets that replicas of one database share. */
export interface SharedSets {
  /** The latest first. */
  readonly list: readonly PlacedSet[];
  readonly replicas: readonly ServingReplica[];
  /** The latest one that a replica serves; while none runs, the latest. */
  readonly inService: PlacedSet | undefined;
}

/** Reads them. */
export async function sharedSets(sets: DefinitionSets): Promise<SharedSets> {
  const [list, replicas] = await Promise.all([sets.list(), sets.replicas()]);
  const served = list.find(({ digest }) => replicas.some((replica) => replica.digest === digest));
  return { list, replicas, inService: served ?? list[0] };
}

/**
 * Puts a set in service on every replica again: that of a version, or the last one before the one in service. Answers both, and what changes; null
 * where there is no such set. Throws a DefinitionError where it does not compile with the code at hand.
 */
export async function takeBackShared(
  options: DefinitionsOptions,
  sets: DefinitionSets,
  { version, by }: { readonly version: string | undefined; readonly by: string },
): Promise<{ readonly set: PlacedSet; readonly before: PlacedSet; readonly changes: readonly Change[] } | null> {
  const { list, inService: before } = await sharedSets(sets);
  const set = list.find((one) =>
    version === undefined ? one.place < (before?.place ?? 0) : one.version === version && one !== before,
  );
  if (set === undefined || before === undefined) return null;
  const files = await sets.files(set.digest);
  const changes = await tryFiles(options, files, await sets.files(before.digest));
  await sets.tell({ files, version: set.version, by });
  return { set, before, changes };
}

/** Waits until each replica serves a set or has said why not, `limitMs` at most; answers the replicas as they are then. */
export async function untilTaken(
  sets: DefinitionSets,
  digest: string,
  limitMs: number,
): Promise<readonly ServingReplica[]> {
  const end = performance.now() + limitMs;
  for (;;) {
    const replicas = await sets.replicas();
    const isDone = replicas.every((replica) => replica.digest === digest || replica.problem !== null);
    if (isDone || performance.now() > end) return replicas;
    await wait(200);
  }
}
