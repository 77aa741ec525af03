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
import { fileChangeEvent, type FileChangeEventDetail, type StudioReferenceData } from '../dev-page-data.ts';
import {
  studioPaths,
  studioTokenHeader,
  type ScreenPreviewResult,
  type MailPreviewResponse,
  type MailPreviewRequest,
  type ScreenPreviewRequest,
  type FileChange,
  type JsonEdit,
  type StudioHistory,
  type StudioDefinitions,
  type DefinitionWriteResult,
  type DefinitionWriteChecks,
} from '../studio-api-types.ts';
import {
  rebaseEdits,
  listEditConflicts,
  type EditConflict,
  listUnsavedChanges,
  omitEditsOfDraftedFiles,
  stageEdit,
  type PendingEdits,
  rebaseEditsAfterUndo,
  removeWrittenEdits,
  listFilesWithDifferentEdits,
  getRedoKind,
  getUndoKind,
  addUndoStep,
  moveInUndoHistory,
  type FileDraft,
  type UnsavedEdits,
  emptyUnsavedEditHistory,
  type UnsavedEditHistory,
} from './pending-edits.ts';
import { useWindowEvent } from '../use-window-event.ts';

const key = 'estudio';

const serverUnreachable = { outcome: 'refused', reason: 'away' } as const;

/** Reloads after each change. `undefined` until loaded. Keeps the data while the server is unreachable. */
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

function useUnsavedEdits(): readonly [UnsavedEditHistory, Dispatch<SetStateAction<UnsavedEditHistory>>] {
  const [history, setHistory] = useState(() => {
    const text = sessionStorage.getItem(key);
    return text === null ? emptyUnsavedEditHistory : (JSON.parse(text) as UnsavedEditHistory); // the cast is safe, because this hook has stored the JSON
  });
  useWindowEvent('pagehide', () => {
    try {
      sessionStorage.setItem(key, JSON.stringify(history));
    } catch {
      // The quota is exceeded, so this stores the edits without their undo steps.
      sessionStorage.setItem(key, JSON.stringify({ ...history, past: [], future: [] }));
    }
  });
  return [history, setHistory];
}

interface Result {
  readonly kind: 'written' | keyof StudioHistory;
  readonly answer: DefinitionWriteResult;
}

export interface StudioContextValue {
  readonly referenceData: StudioReferenceData;
  readonly set: StudioDefinitions;
  /** Revision of the definitions. A new revision re-renders the views. */
  readonly revision: number;
  readonly pending: PendingEdits;
  readonly conflicts: readonly EditConflict[];
  readonly result: Result | null;
  readonly drafts: Readonly<Record<string, FileDraft>>;
  readonly busy: boolean;
  stage(file: string, edit: JsonEdit): void;
  discardEdits(): void;
  /** Rebases the unsaved edits on the current files, and discards the edits of the conflicts in `yielded`. */
  rebaseOnCurrentFiles(yielded: ReadonlySet<string>): void;
  draft(file: string, draft: FileDraft | null): void;
  saveEdits(): Promise<boolean>;
  /** Writes immediately, if the test cases of `checks.field` pass. Returns whether the changes were written. */
  write(changes: readonly FileChange[], checks?: DefinitionWriteChecks): Promise<boolean>;
  look(changes: readonly FileChange[]): Promise<DefinitionWriteResult>;
  compilePreview(request: ScreenPreviewRequest): Promise<ScreenPreviewResult>;
  drawMail(request: MailPreviewRequest): Promise<MailPreviewResponse>;
  undoOrRedo(kind: keyof StudioHistory): Promise<void>;
  readonly canUndoOrRedo: Readonly<Record<keyof StudioHistory, boolean>>;
  read<Answer>(address: string): Promise<Answer>;
}

export const StudioContext = createContext<StudioContextValue | null>(null);

export function useStudio(): StudioContextValue {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('There is no StudioContext around this component.');
  return studio;
}

/** Returns `null` until the definitions have loaded. Throws if the first load fails. */
export function useStudioState(token: string, referenceData: StudioReferenceData): StudioContextValue | null {
  const [{ set, revision }, setRead] = useState({ set: null as StudioDefinitions | null, revision: 0 });
  const [history, setHistory] = useUnsavedEdits();
  const { pending, drafts } = history.now;
  const [result, setResult] = useState<Result | null>(null);
  const [busy, setBusy] = useState(false);
  const [unread, setUnread] = useState<Error | null>(null);
  const read = useCallback(
    async <Answer>(address: string): Promise<Answer> => {
      const response = await fetch(address, { headers: { [studioTokenHeader]: token } });
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      const { answer } = (await response.json()) as { answer: Answer }; // the cast is safe, because the server serializes a value of this type
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
      const now = await read<StudioDefinitions>(studioPaths.set);
      if (question < current.shown) return; // discards the response, because a newer request has already finished
      const isOther = current.tests;
      Object.assign(current, { shown: question, tests: false });
      setRead((before) => {
        const isSame = JSON.stringify(now) === JSON.stringify(before.set);
        return isSame && !isOther ? before : { set: isSame ? before.set : now, revision: before.revision + 1 };
      });
    },
    [read],
  );
  const readAgain = useCallback((tests = false) => readSet(tests).catch(() => undefined), [readSet]); // keeps the previous definitions while the server is unreachable
  useEffect(() => {
    const changed = (event: Event): void => {
      event.preventDefault(); // reloads only the definitions, because reloading the page would interrupt editing
      void readAgain((event as CustomEvent<FileChangeEventDetail | undefined>).detail?.tests);
    };
    addEventListener(fileChangeEvent, changed);
    readSet().catch(setUnread);
    return () => removeEventListener(fileChangeEvent, changed);
  }, [readSet, readAgain]);
  useWindowEvent('beforeunload', (event) => {
    if (Object.keys({ ...pending, ...drafts }).length > 0) event.preventDefault();
  });
  if (!set && unread) throw unread;
  if (!set) return null;

  const ask = async <Answer extends DefinitionWriteResult | ScreenPreviewResult | MailPreviewResponse>(
    address: string,
    body: object,
  ) => {
    try {
      const response = await fetch(address, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', [studioTokenHeader]: token },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Partial<Answer>; // the cast is safe, because the server serializes a value of this type, unless the request failed
      return 'outcome' in answer ? (answer as Answer) : serverUnreachable;
    } catch {
      return serverUnreachable;
    }
  };
  /** Disables other writes until `work` has reloaded the definitions, so that no write is based on outdated files. */
  const working = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    setBusy(true);
    try {
      return await work();
    } finally {
      setBusy(false);
    }
  };
  const write = (changes: readonly FileChange[], sent: PendingEdits, checks?: DefinitionWriteChecks) =>
    working(async () => {
      const answer = await ask<DefinitionWriteResult>(studioPaths.write, { changes, ...checks });
      setResult({ kind: 'written', answer });
      if (answer.outcome === 'written' || answer.outcome === 'conflict') await readAgain();
      if (answer.outcome !== 'written') return false;
      setHistory((before) => removeWrittenEdits(before, sent, answer.files));
      return true;
    });
  const type = (next: (now: UnsavedEdits) => UnsavedEdits, place: string | null = null): void => {
    setResult(null);
    setHistory((before) => addUndoStep(before, next(before.now), place, set.history.undo?.id ?? null));
  };
  const next = { undo: getUndoKind(history, set.history), redo: getRedoKind(history, set.history) };
  return {
    referenceData,
    set,
    revision,
    pending,
    conflicts: listEditConflicts(history.now, set),
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
    discardEdits: () => type(() => ({ pending: {}, drafts: {} })),
    rebaseOnCurrentFiles: (yielded) => type((now) => rebaseEdits(now, set, yielded)),
    saveEdits: () => write(listUnsavedChanges(history.now), omitEditsOfDraftedFiles(history.now)),
    write: (changes, checks) => write(changes, {}, checks),
    look: (changes) => working(() => ask<DefinitionWriteResult>(studioPaths.write, { changes, dryRun: true })),
    compilePreview: (request) => ask<ScreenPreviewResult>(studioPaths.draw, request),
    drawMail: (request) => ask<MailPreviewResponse>(studioPaths.drawMail, request),
    canUndoOrRedo: { undo: next.undo !== null, redo: next.redo !== null },
    undoOrRedo: async (kind) => {
      if (busy || next[kind] === null) return;
      if (next[kind] === 'typed') {
        const then = moveInUndoHistory(history, kind);
        setHistory(then);
        const names = listFilesWithDifferentEdits(history.now, then.now);
        const files = names.map((file) => ({ file, version: null, text: '' }));
        setResult({ kind, answer: { outcome: 'written', files, partial: false } });
        return;
      }
      await working(async () => {
        const answer = await ask<DefinitionWriteResult>(studioPaths[kind], { id: set.history[kind]?.id });
        setResult({ kind, answer });
        await readAgain();
        if (answer.outcome === 'written') setHistory((before) => rebaseEditsAfterUndo(before, answer.files));
      });
    },
    read,
  };
}
