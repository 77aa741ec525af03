import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { readCspNonce } from '../../../portal/navigation/read-page-data.ts';
import type { StudioProblem } from '../../studio-api-types.ts';
import type { JsonCompletions } from './completions.ts';
import './code-editor.css';

const colours = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => ({
    ...spec,
    ...(typeof color === 'string' && { color: `light-dark(${color}, color-mix(in oklab, ${color}, white 60%))` }),
  })),
);

/** Position in a text. Lines and columns start at 1. */
type Place = Pick<StudioProblem, 'line' | 'column'>;

interface CodeEditorProps {
  readonly label: string;
  readonly file: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly problems: readonly StudioProblem[];
  /** Position of the caret and the focus. The editor moves both there when the position changes. */
  readonly place?: Place | null;
  readonly complete: (text: string, caret: number) => JsonCompletions | null;
  readonly onChange: (text: string) => void;
}

/** JSON editor with completions and problem markers. As in any field, Tab moves the focus out of the editor. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, file, text, readOnly, problems, place } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const now = useRef(props);
  useEffect(() => {
    now.current = props;
  });

  useEffect(() => {
    if (!parent.current) return;
    const opened = new EditorView({
      parent: parent.current,
      state: EditorState.create({
        doc: now.current.text,
        extensions: createExtensions(label, readOnly, () => now.current),
      }),
    });
    view.current = opened;
    return () => opened.destroy();
  }, [label, readOnly]);
  useEffect(() => {
    const known = view.current?.state.doc.toString();
    if (view.current && known !== text)
      view.current.dispatch({ changes: { from: 0, to: known?.length ?? 0, insert: text } });
  }, [text, label, readOnly]);
  useEffect(() => {
    const { current } = view;
    if (!current) return;
    const own = problems.filter((problem) => problem.file === file);
    const found = own.map((problem) => createDiagnostic(current, problem));
    current.dispatch(setDiagnostics(current.state, found));
  }, [problems, file, text, label, readOnly]);
  useEffect(() => {
    const { current } = view;
    if (!current || !place) return;
    current.dispatch({ selection: { anchor: findOffset(current, place) }, scrollIntoView: true });
    current.focus();
  }, [place, label]);

  return <div ref={parent} className="studio-code" />;
}

function createExtensions(label: string, readOnly: boolean, now: () => CodeEditorProps) {
  const nonce = readCspNonce();
  return [
    ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    EditorView.lineWrapping,
    lineNumbers(),
    history(),
    json(),
    indentUnit.of('  '),
    syntaxHighlighting(colours),
    EditorView.darkTheme.of(matchMedia('(prefers-color-scheme: dark)').matches),
    bracketMatching(),
    closeBrackets(),
    lintGutter(),
    autocompletion({ override: [(context) => computeCompletions(context, now())], icons: false }),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of(({ docChanged, state }) => {
      const typed = state.doc.toString();
      if (docChanged && typed !== now().text) now().onChange(typed);
    }),
  ];
}

function computeCompletions({ state, pos, explicit }: CompletionContext, { complete }: CodeEditorProps) {
  const found = complete(state.doc.toString(), pos);
  if (!found || (!explicit && found.from === pos)) return null;
  const { from, to, offers } = found;
  return {
    from,
    to,
    options: offers.map(({ label, detail, insert }) => ({
      label,
      apply: insert,
      ...(detail === undefined ? {} : { info: detail }),
    })),
  };
}

function createDiagnostic(view: EditorView, { message, hint, ...place }: StudioProblem): Diagnostic {
  const from = findOffset(view, place);
  return { from, to: view.state.doc.lineAt(from).to, severity: 'error', message: `${message} ${hint}` };
}

function findOffset({ state: { doc } }: EditorView, { line, column }: Place): number {
  const own = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(own.from + column - 1, own.to);
}
