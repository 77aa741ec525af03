import type { Logger } from 'pino';
import { sentenceOf, type Definitions, type DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { readKnown, textsOver, type KnownSet } from '../platform/definitions/set-files.ts';
import type { DefinitionSets, GivenSet } from '../platform/definitions/sets.ts';

interface Followed {
  readonly definitions: DefinitionsSource;
  readonly sets: DefinitionSets;
  readonly root: string;
  /** The files that `definitions` serves. */
  readonly own: KnownSet;
  /** What the replica is listed as. */
  readonly name: string;
  readonly admit: (set: Definitions) => Promise<void>;
  readonly log: Logger;
}

/**
 * Follows the sets that are put in service for all replicas, and puts a change of the own files in service for all. `follow` asks the database; news
 * do the same at once. It throws where the database cannot be asked.
 */
export async function followDefinitions({ definitions, sets, root, own: begun, name, admit, log }: Followed): Promise<{
  follow(): Promise<void>;
  close(): Promise<void>;
}> {
  let own = begun;
  /** What is served instead of the own files. */
  let taken: KnownSet | null = null;
  let serving = own.digest;
  /** What is being read now; `instead`: in the place of the own files. */
  let reading = { ...own, instead: false };
  /** A change of the own files that is not announced to the other replicas yet. */
  let unannounced: GivenSet | null = null;
  /** The set that this replica cannot take, and why. */
  let refused: { readonly digest: string; readonly problem: string } | null = null;

  const tell = async (): Promise<void> => {
    if (unannounced === null) return;
    await sets.tell(unannounced);
    unannounced = null;
  };

  definitions.guardBy({
    async texts() {
      const disk = await readKnown(root);
      const instead = disk.digest === own.digest ? taken : null;
      reading = { ...(instead ?? disk), instead: instead !== null };
      return instead === null ? undefined : textsOver(disk.files, instead.files);
    },
    async admit(set) {
      await admit(set);
      if (!reading.instead && reading.digest !== own.digest) {
        if (reading.digest !== serving)
          unannounced = { files: reading.files, version: set.version, by: `files of ${name}` };
        own = { digest: reading.digest, files: reading.files };
        taken = null;
      }
      serving = reading.digest;
      await tell().catch((error: unknown) =>
        log.warn({ err: error }, 'other replicas are not told of the definitions'),
      );
    },
  });

  const take = async (digest: string, facts: object): Promise<void> => {
    const before = taken;
    taken = digest === own.digest ? null : { digest, files: await sets.files(digest) };
    await definitions.read();
    if (serving === digest) {
      log.info({ ...facts, version: definitions.current.version }, 'definitions taken');
      return;
    }
    const [first] = definitions.problems;
    if (first === undefined) return; // the own files have changed meanwhile: they are in service
    refused = { digest, problem: sentenceOf(first) };
    log.error({ ...facts, problem: refused.problem }, 'definitions are not taken, since they do not compile here');
    taken = before;
    await definitions.read();
  };

  const ask = async (): Promise<void> => {
    await tell();
    const told = await sets.toldTo(own.digest);
    const wanted = told?.digest ?? own.digest;
    if (refused?.digest !== wanted) refused = null;
    if (wanted !== serving && refused === null) await take(wanted, { by: told?.by, at: told?.at });
    const problem = refused?.problem ?? null;
    await sets.report({ name, digest: serving, version: definitions.current.version, problem }, own.digest);
  };

  let asked = Promise.resolve();
  /** One question at a time, and at most one that waits. */
  let next: Promise<void> | null = null;
  const follow = (): Promise<void> => {
    if (next !== null) return next;
    const asking = asked.then(() => {
      next = null;
      return ask();
    });
    next = asking;
    asked = asking.catch(() => undefined);
    return asking;
  };

  await sets.arrive({ files: own.files, version: definitions.current.version, by: `start of ${name}` });
  const stop = await sets.hear(() => {
    follow().catch((error: unknown) => log.warn({ err: error }, 'definitions were not asked for'));
  });
  await follow();
  return {
    follow,
    async close() {
      stop();
      await asked;
      await sets.leave(name).catch(() => undefined); // it is forgotten by itself
    },
  };
}
