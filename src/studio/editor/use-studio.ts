import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  type Dispatch,
  type SetStateAction,
} from 'react';
import { changedEvent, type ChangedDetail, type StudioFacts } from '../dev-data.ts';
import {
  studioAddresses,
  tokenHeader,
  type DrawAnswer,
  type DrawMailAnswer,
  type DrawMailRequest,
  type DrawRequest,
  type FileChange,
  type StudioEdit,
  type StudioHistory,
  type StudioSet,
  type VersionedFile,
  type WriteAnswer,
  type WriteChecks,
} from '../studio-data.ts';
import {
  rebaseEdits,
  listConflicts,
  type Conflict,
  listUnsavedChanges,
  selectEditsBesideDrafts,
  stageEdit,
  type PendingEdits,
  rebaseAfterUndo,
  removeWrittenEdits,
  listChangedFiles,
  getRedoKind,
  getUndoKind,
  addStep,
  moveInHistory,
  type Draft,
  type UnsavedEdits,
  noUnsavedEdits,
  type UnsavedEditHistory,
} from './pending-edits.ts';

const key = 'estudio';

/** Answer to a request if the server is unreachable. */
const serverUnreachable = { outcome: 'refused', reason: 'away' } as const;

/**
 * Hook that loads data from a URL of the studio, and reloads it after each change of the definitions. Returns
 * `undefined` until the data has loaded, or for an empty URL. Returns the previous data while the server is
 * unreachable.
 */
export function useStudioResource<Answer>(address: string) {
  const { read, revision } = useStudio();
  const [known, setKnown] = useState<{ readonly address: string; readonly answer: Answer }>();
  useEffect(() => {
    let isOver = false;
    const keep = (answer: Answer): void => void (isOver || setKnown({ address, answer }));
    if (address !== '') read<Answer>(address).then(keep, () => undefined);
    return () => {
      isOver = true;
    };
  }, [read, revision, address]);
  return known?.address === address ? known.answer : undefined;
}

/** Hook for the unsaved edits in this tab. They survive a reload. */
function useUnsavedEdits(): readonly [UnsavedEditHistory, Dispatch<SetStateAction<UnsavedEditHistory>>] {
  const [history, setHistory] = useState(() => {
    const text = sessionStorage.getItem(key);
    return text === null ? noUnsavedEdits : (JSON.parse(text) as UnsavedEditHistory); // JSON that this hook has stored
  });
  useEffect(() => {
    const keep = (): void => storeUnsavedEdits(history);
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  }, [history]);
  return [history, setHistory];
}

function storeUnsavedEdits(history: UnsavedEditHistory): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(history));
  } catch {
    // The quota is exceeded, so this stores the edits without their undo steps.
    sessionStorage.setItem(key, JSON.stringify({ ...history, past: [], future: [] }));
  }
}

interface Result {
  readonly kind: 'written' | keyof StudioHistory;
  readonly answer: Exclude<WriteAnswer, { outcome: 'written' }> | Written;
}

interface Written {
  readonly outcome: 'written';
  readonly files: readonly Pick<VersionedFile, 'file'>[];
  readonly partial: boolean;
}

export interface Studio {
  readonly facts: StudioFacts;
  readonly set: StudioSet;
  /** Revision of the definitions. A new revision re-renders the views. */
  readonly revision: number;
  readonly pending: PendingEdits;
  readonly conflicts: readonly Conflict[];
  readonly result: Result | null;
  readonly drafts: Readonly<Record<string, Draft>>;
  readonly busy: boolean;
  stage(file: string, edit: StudioEdit): void;
  discard(): void;
  /**
   * Rebases the unsaved edits on the current files. `yielded` contains the keys of the conflicts whose edits are
   * discarded.
   */
  acceptCurrent(yielded: ReadonlySet<string>): void;
  /** Stores the unsaved text of a file that is edited as text. `null` discards the text. */
  draft(file: string, draft: Draft | null): void;
  save(): Promise<boolean>;
  /**
   * Writes changes immediately. If `field` is set, writes them only if the test cases of that field pass. Returns
   * whether the changes were written.
   */
  write(changes: readonly FileChange[], checks?: WriteChecks): Promise<boolean>;
  look(changes: readonly FileChange[]): Promise<WriteAnswer>;
  draw(request: DrawRequest): Promise<DrawAnswer>;
  drawMail(request: DrawMailRequest): Promise<DrawMailAnswer>;
  turn(kind: keyof StudioHistory): Promise<void>;
  readonly turns: Readonly<Record<keyof StudioHistory, boolean>>;
  read<Answer>(address: string): Promise<Answer>;
}

export const StudioContext = createContext<Studio | null>(null);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('There is no StudioContext around this component.');
  return studio;
}

/**
 * Hook that loads the definitions, and reloads them whenever a file changes. Returns `null` until they have loaded.
 * Throws if the first load fails.
 */
export function useOpenStudio(token: string, facts: StudioFacts): Studio | null {
  const [{ set, revision }, setRead] = useState({ set: null as StudioSet | null, revision: 0 });
  const [history, setHistory] = useUnsavedEdits();
  const { pending, drafts } = history.now;
  const [result, setResult] = useState<Result | null>(null);
  const [busy, setBusy] = useState(false);
  const [unread, setUnread] = useState<Error | null>(null);
  const read = useCallback(
    async <Answer>(address: string): Promise<Answer> => {
      const response = await fetch(address, { headers: { [tokenHeader]: token } });
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      const { answer } = (await response.json()) as { answer: Answer }; // the server serializes a value of this type
      return answer;
    },
    [token],
  );
  const requests = useRef({ asked: 0, shown: 0, tests: false });
  const readSet = useCallback(
    async (tests = false) => {
      const { current } = requests;
      current.tests ||= tests;
      current.asked += 1;
      const question = current.asked;
      const now = await read<StudioSet>(studioAddresses.set);
      if (question < current.shown) return; // a newer request has already finished
      const isOther = current.tests;
      Object.assign(current, { shown: question, tests: false });
      setRead((before) => {
        const isSame = JSON.stringify(now) === JSON.stringify(before.set);
        return isSame && !isOther ? before : { set: isSame ? before.set : now, revision: before.revision + 1 };
      });
    },
    [read],
  );
  const readAgain = useCallback((tests = false) => readSet(tests).catch(() => undefined), [readSet]); // while the server is unreachable, the previous definitions stay
  useEffect(() => {
    const changed = (event: Event): void => {
      event.preventDefault(); // reloads only the definitions, because reloading the page would interrupt editing
      void readAgain((event as CustomEvent<ChangedDetail | undefined>).detail?.tests);
    };
    addEventListener(changedEvent, changed);
    readSet().catch(setUnread);
    return () => removeEventListener(changedEvent, changed);
  }, [readSet, readAgain]);
  useEffect(() => {
    const isPending = Object.keys({ ...pending, ...drafts }).length > 0;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    if (isPending) addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [pending, drafts]);
  if (!set && unread) throw unread;
  if (!set) return null;

  const ask = async <Answer extends WriteAnswer | DrawAnswer | DrawMailAnswer>(address: string, body: object) => {
    try {
      const response = await fetch(address, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', [tokenHeader]: token },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Partial<Answer>; // the server serializes a value of this type, unless the request failed
      return 'outcome' in answer ? (answer as Answer) : serverUnreachable;
    } catch {
      return serverUnreachable;
    }
  };
  /**
   * Blocks other writes during `work`, because they would be based on outdated files until the definitions have
   * reloaded.
   */
  const working = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    setBusy(true);
    try {
      return await work();
    } finally {
      setBusy(false);
    }
  };
  const write = (changes: readonly FileChange[], sent: PendingEdits, checks?: WriteChecks): Promise<boolean> =>
    working(async () => {
      const answer = await ask<WriteAnswer>(studioAddresses.write, { changes, ...checks });
      setResult({ kind: 'written', answer });
      if (answer.outcome === 'written' || answer.outcome === 'conflict') await readAgain();
      if (answer.outcome !== 'written') return false;
      setHistory((before) => removeWrittenEdits(before, sent, answer.files));
      return true;
    });
  const type = (next: (now: UnsavedEdits) => UnsavedEdits, place: string | null = null): void => {
    setResult(null);
    setHistory((before) => addStep(before, next(before.now), place, set.history.undo?.id ?? null));
  };
  const next = { undo: getUndoKind(history, set.history), redo: getRedoKind(history, set.history) };
  return {
    facts,
    set,
    revision,
    pending,
    conflicts: listConflicts(history.now, set),
    result,
    drafts,
    busy,
    draft: (file, draft) =>
      type(
        ({ drafts: { [file]: _, ...others }, ...now }) => ({
          ...now,
          drafts: draft === null ? others : { ...others, [file]: draft },
        }),
        draft && `draft ${file}`,
      ),
    stage: (file, edit) =>
      type((now) => ({ ...now, pending: stageEdit(now.pending, set, file, edit) }), `${file} ${edit.pointer}`),
    discard: () => type(() => ({ pending: {}, drafts: {} })),
    acceptCurrent: (yielded) => type((now) => rebaseEdits(now, set, yielded)),
    save: () => write(listUnsavedChanges(history.now), selectEditsBesideDrafts(history.now)),
    write: (changes, checks) => write(changes, {}, checks),
    look: (changes) => working(() => ask<WriteAnswer>(studioAddresses.write, { changes, dryRun: true })),
    draw: (request) => ask<DrawAnswer>(studioAddresses.draw, request),
    drawMail: (request) => ask<DrawMailAnswer>(studioAddresses.drawMail, request),
    turns: { undo: next.undo !== null, redo: next.redo !== null },
    turn: async (kind) => {
      if (busy || next[kind] === null) return;
      if (next[kind] === 'typed') {
        const then = moveInHistory(history, kind);
        setHistory(then);
        const files = listChangedFiles(history.now, then.now).map((file) => ({ file }));
        setResult({ kind, answer: { outcome: 'written', files, partial: false } });
        return;
      }
      await working(async () => {
        const answer = await ask<WriteAnswer>(studioAddresses[kind], { id: set.history[kind]?.id });
        setResult({ kind, answer });
        await readAgain();
        if (answer.outcome === 'written') setHistory((before) => rebaseAfterUndo(before, answer.files));
      });
    },
    read,
  };
}
