import { useCallback, useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import { changedEvent } from '../drawn-at.ts';
import {
  studioAddresses,
  tokenHeader,
  type DrawAnswer,
  type DrawRequest,
  type FileChange,
  type MismatchedCase,
  type StudioEdit,
  type StudioHistory,
  type StudioProblem,
  type StudioSet,
  type WriteAnswer,
} from '../studio-data.ts';
import { chosenOver, conflictsIn, type Conflict } from './conflicts.ts';
import { changesOf, stage, type Pending } from './pending.ts';
import {
  afterTurn,
  afterWrite,
  filesBetween,
  nextRedo,
  nextUndo,
  step,
  turned,
  type Draft,
  type Typed,
  nothingTyped,
  type TypedHistory,
} from './typed.ts';

const key = 'estudio';

/** What was typed in this tab; it outlives a reload of the page. */
function useTyped(): readonly [TypedHistory, Dispatch<SetStateAction<TypedHistory>>] {
  const [history, setHistory] = useState(kept);
  useEffect(() => {
    const keep = (): void => keepTyped(history);
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  }, [history]);
  return [history, setHistory];
}

function kept(): TypedHistory {
  const text = sessionStorage.getItem(key);
  return text === null ? nothingTyped : (JSON.parse(text) as TypedHistory); // a page of the studio wrote it
}

function keepTyped(history: TypedHistory): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(history));
  } catch {
    // A browser keeps a few megabytes: what was typed goes before its steps.
    sessionStorage.setItem(key, JSON.stringify({ ...history, past: [], future: [] }));
  }
}

/** What the last writing came to, as the page says it. */
export type Told =
  | { readonly kind: 'written' | keyof StudioHistory; readonly files: readonly string[]; readonly partial: boolean }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  | { readonly kind: 'problems'; readonly problems: readonly StudioProblem[] }
  | { readonly kind: 'mismatched'; readonly cases: readonly MismatchedCase[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** What was asked for was not done. */
interface Refused {
  readonly outcome: 'refused';
  readonly reason: string;
}

/** The set that is edited, and how it is. */
export interface Studio {
  readonly set: StudioSet;
  /** Counts the readings of the set: what is drawn from it is drawn again. */
  readonly reading: number;
  readonly pending: Pending;
  /** What was typed in files that somebody else changed meanwhile. */
  readonly conflicts: readonly Conflict[];
  readonly told: Told | null;
  /** Whole files as they were typed and not yet written. */
  readonly drafts: Readonly<Record<string, Draft>>;
  readonly busy: boolean;
  stage(file: string, edit: StudioEdit): void;
  discard(): void;
  /** Puts what was typed over the files as they are now, but where what is there now stays (`given`: keys of conflicts). */
  takeNow(given: ReadonlySet<string>): void;
  /** Keeps a file as it was typed; null forgets it. */
  draft(file: string, draft: Draft | null): void;
  /** Writes what is pending. */
  save(): Promise<boolean>;
  /** Writes files at once, beside what is pending, where the rules say of the `field` what the cases among them expect; answers whether they are written. */
  write(changes: readonly FileChange[], field?: string): Promise<boolean>;
  /** Says what writing files would come to. */
  look(changes: readonly FileChange[]): Promise<WriteAnswer>;
  /** Says where a screen stands compiled as it would be after changes that nobody writes. */
  draw(request: DrawRequest): Promise<DrawAnswer>;
  /** Undoes the last step, typed or written, or redoes the one undone last. */
  turn(kind: keyof StudioHistory): Promise<void>;
  /** Whether there is such a step. */
  readonly turns: Readonly<Record<keyof StudioHistory, boolean>>;
  read<Answer>(address: string): Promise<Answer>;
}

/** Reads the set of this server, again at every change of a file, and writes it; null until it was read. Throws where it never was. */
export function useStudio(token: string): Studio | null {
  const [{ set, reading }, setRead] = useState<{ set: StudioSet | null; reading: number }>({ set: null, reading: 0 });
  const [history, setHistory] = useTyped();
  const { pending, drafts } = history.now;
  const [told, setTold] = useState<Told | null>(null);
  const [busy, setBusy] = useState(false);
  const [unread, setUnread] = useState<Error | null>(null);
  const read = useCallback(
    async <Answer>(address: string): Promise<Answer> => {
      const response = await fetch(address, { headers: { [tokenHeader]: token } });
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      const { answer } = (await response.json()) as { answer: Answer }; // this server wrote it from the same type
      return answer;
    },
    [token],
  );
  const asked = useRef(0);
  const shown = useRef(0);
  const readSet = useCallback(async () => {
    asked.current += 1;
    const question = asked.current;
    const now = await read<StudioSet>(studioAddresses.set);
    if (question < shown.current) return; // one that was asked later knows more
    shown.current = question;
    setRead((before) => ({ set: now, reading: before.reading + 1 }));
  }, [read]);
  const readAgain = useCallback(() => readSet().catch(() => undefined), [readSet]); // what was read stays until the server is back
  useEffect(() => {
    const changed = (event: Event): void => {
      event.preventDefault(); // what is typed stays: the set is read anew, the page is not
      void readAgain();
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

  const ask = async <Answer extends WriteAnswer | DrawAnswer>(
    address: string,
    body: object,
  ): Promise<Answer | Refused> => {
    try {
      const response = await fetch(address, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', [tokenHeader]: token },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Partial<Answer>; // as above, unless the server failed
      return 'outcome' in answer ? (answer as Answer) : { outcome: 'refused', reason: 'away' };
    } catch {
      return { outcome: 'refused', reason: 'away' };
    }
  };
  const send = (address: string, body: object): Promise<WriteAnswer> => ask<WriteAnswer>(address, body);
  /** Until the set is read again, what is written would be over files that this page no longer knows. */
  const working = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    setBusy(true);
    try {
      return await work();
    } finally {
      setBusy(false);
    }
  };
  const write = (changes: readonly FileChange[], sent: Pending, field?: string): Promise<boolean> =>
    working(async () => {
      const answer = await send(studioAddresses.write, { changes, field });
      setTold(toldOf(answer, 'written'));
      if (answer.outcome === 'written' || answer.outcome === 'conflict') await readAgain();
      if (answer.outcome !== 'written') return false;
      setHistory((before) => afterWrite(before, sent, answer.files));
      return true;
    });
  const type = (next: (now: Typed) => Typed, place: string | null = null): void => {
    setTold(null);
    setHistory((before) => step(before, next(before.now), place, set.history.undo?.id ?? null));
  };
  const next = { undo: nextUndo(history, set.history), redo: nextRedo(history, set.history) };
  return {
    set,
    reading,
    pending,
    conflicts: conflictsIn(history.now, set),
    told,
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
      type((now) => ({ ...now, pending: stage(now.pending, set, file, edit) }), `${file} ${edit.pointer}`),
    discard: () => type((now) => ({ ...now, pending: {} })),
    takeNow: (given) => type((now) => chosenOver(now, set, given)),
    save: () => write(changesOf(pending), pending),
    write: (changes, field) => write(changes, {}, field),
    look: (changes) => working(() => send(studioAddresses.write, { changes, dryRun: true })),
    draw: (request) => ask<DrawAnswer>(studioAddresses.draw, request),
    turns: { undo: next.undo !== null, redo: next.redo !== null },
    turn: async (kind) => {
      if (busy || next[kind] === null) return;
      if (next[kind] === 'typed') {
        const then = turned(history, kind);
        setHistory(then);
        setTold({ kind, files: filesBetween(history.now, then.now), partial: false });
        return;
      }
      await working(async () => {
        const answer = await send(studioAddresses[kind], { id: set.history[kind]?.id });
        setTold(toldOf(answer, kind));
        await readAgain();
        if (answer.outcome === 'written') setHistory((before) => afterTurn(before, answer.files));
      });
    },
    read,
  };
}

function toldOf(answer: WriteAnswer, kind: 'written' | keyof StudioHistory): Told {
  if (answer.outcome === 'problems') return { kind: 'problems', problems: answer.problems };
  if (answer.outcome === 'mismatched') return { kind: 'mismatched', cases: answer.cases };
  if (answer.outcome === 'refused') return { kind: 'refused', reason: answer.reason };
  const files = answer.files.map(({ file }) => file);
  return answer.outcome === 'written' ? { kind, files, partial: answer.partial } : { kind: 'conflict', files };
}
