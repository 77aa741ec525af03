import { useMemo, useState } from 'react';
import type { Problem } from '../engine/compiler/definitions.ts';
import flow from '../engine/compiler/formats/flow.4.schema.json';
import schema from '../engine/compiler/formats/screen.schema.json';
import ui from '../engine/compiler/formats/ui.schema.json';
import { CodeEditor } from '../studio/editor/code/code-editor.tsx';
import { completionsAt } from '../studio/editor/code/completions.ts';
import { Tabs } from '../studio/editor/tabs.tsx';
import type { Files } from './compile-files.ts';

interface EditorProps {
  readonly files: Files;
  /** `null` until compiled. */
  readonly problems: readonly Problem[] | null;
  readonly onChange: (path: string, text: string) => void;
}

type Place = Pick<Problem, 'line' | 'column'>;

export function Editor({ files, problems, onChange }: EditorProps) {
  const paths = Object.keys(files).toSorted((a, b) => rank(a) - rank(b));
  const [chosen, setChosen] = useState(paths[0] ?? '');
  const [place, setPlace] = useState<Place | null>(null);
  const file = paths.includes(chosen) ? chosen : (paths[0] ?? '');
  return (
    <>
      <Tabs
        label="Files"
        tabs={paths.map((path) => [path, path.replace(/^schemas\//, '')])}
        chosen={file}
        reading={0}
        onChoose={setChosen}
      >
        <FileEditor
          key={file}
          file={file}
          text={files[file] ?? ''}
          problems={problems}
          place={place}
          onChange={(text) => onChange(file, text)}
        />
      </Tabs>
      <p role="status">{problems && counted(problems.length)}</p>
      <ul className="playground-problems">
        {problems?.map((problem) => (
          <li key={`${problem.file} ${problem.pointer} ${problem.message}`}>
            <button
              type="button"
              className="link-button"
              onClick={() => {
                setChosen(problem.file);
                setPlace({ line: problem.line, column: problem.column });
              }}
            >
              {`${problem.file}:${problem.line}:${problem.column}`}
            </button>{' '}
            {problem.message} {problem.hint}
          </li>
        ))}
      </ul>
    </>
  );
}

interface FileEditorProps {
  readonly file: string;
  readonly text: string;
  readonly problems: readonly Problem[] | null;
  readonly place: Place | null;
  readonly onChange: (text: string) => void;
}

function FileEditor({ file, problems, ...props }: FileEditorProps) {
  const marks = useMemo(
    () =>
      (problems ?? [])
        .filter((problem) => problem.file === file)
        .map(({ line, column, message, hint }) => ({ line, column, text: `${message} ${hint}` })),
    [problems, file],
  );
  return (
    <CodeEditor
      {...props}
      label={file}
      readOnly={false}
      marks={marks}
      complete={(text, caret) => completionsAt(text, caret, { file, format: selectFormat(file), names: () => [] })}
    />
  );
}

function counted(problems: number): string {
  if (problems === 0) return 'No problems.';
  return problems === 1 ? '1 problem:' : `${problems} problems:`;
}

const order = [/\/schema\.json$/, /\/ui\.json$/, /^flows\//, /\/messages\.json$/];

// Screens, then flows, then the shared files of screens.
function rank(path: string): number {
  const at = order.findIndex((pattern) => pattern.test(path));
  return at < 0 ? order.length : at;
}

function selectFormat(file: string): Readonly<Record<string, unknown>> {
  if (file.startsWith('flows/')) return flow;
  if (file.endsWith('/schema.json')) return schema;
  return file.endsWith('/ui.json') ? ui : {};
}
