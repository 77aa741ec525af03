import { useEffect, useRef, useState, type ComponentType } from 'react';
import type { ServedDefinitions, DefinitionProblem } from '../engine/compiler/definitions.ts';
import { Screen, type ScreenProps } from '../engine/react/flow/screen-view.tsx';
import { plainTheme } from '../engine/react/theme.ts';
import { CrashBoundary } from '../portal/shell/crash-boundary.tsx';
import { ThemedScreen } from '../portal/shell/themed-screen.tsx';
import {
  buildFilesUrlFragment,
  buildSampleUrlFragment,
  readExampleFromUrlFragment,
  type PlaygroundExample,
} from './example-url-fragment.ts';
import { createPlaygroundCompiler, type PlaygroundFiles } from './playground-compiler.ts';
import { playgroundSamples } from './playground-samples.ts';
import { runScreenModule } from './interpret-screen-module.ts';
import { PlaygroundPreview } from './playground-preview.tsx';
import flow from '../engine/compiler/formats/flow.4.schema.json';
import schema from '../engine/compiler/formats/screen.schema.json';
import ui from '../engine/compiler/formats/ui.schema.json';
import { CodeEditor } from '../studio/editor/code/code-editor.tsx';
import { findJsonCompletions, resolveDefinitionFileFormat } from '../studio/editor/code/completions.ts';
import { StudioTabs } from '../studio/editor/studio-page.tsx';
import { useWindowEvent } from '../studio/use-window-event.ts';

interface EditorProps {
  readonly files: PlaygroundFiles;
  readonly problems: readonly DefinitionProblem[] | null;
  readonly onChange: (path: string, text: string) => void;
}

type Position = Pick<DefinitionProblem, 'line' | 'column'>;

function Editor({ files, problems, onChange }: EditorProps) {
  const paths = Object.keys(files).sort((a, b) => rankFile(a) - rankFile(b));
  const [chosen, setChosen] = useState(paths[0] ?? '');
  const [place, setPlace] = useState<Position | null>(null);
  const file = paths.includes(chosen) ? chosen : (paths[0] ?? '');
  return (
    <>
      <StudioTabs
        label="Files"
        tabs={paths.map((path) => [path, path.replace(/^schemas\//, '')])}
        chosen={file}
        revision={0}
        onChoose={setChosen}
      >
        <CodeEditor
          key={file}
          label={file}
          file={file}
          text={files[file] ?? ''}
          readOnly={false}
          problems={problems ?? noProblems}
          place={place}
          complete={(text, caret) =>
            findJsonCompletions(text, caret, {
              file,
              format: formats[resolveDefinitionFileFormat(file)],
              names: () => [],
            })
          }
          onChange={(text) => onChange(file, text)}
        />
      </StudioTabs>
      <p role="status">{problems && formatProblemCount(problems.length)}</p>
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

function formatProblemCount(problems: number): string {
  if (problems === 0) return 'No problems.';
  return problems === 1 ? '1 problem:' : `${problems} problems:`;
}

const noProblems: readonly DefinitionProblem[] = [];
const formats = { flow, schema, ui, translation: {} };

const fileOrder = [/\/schema\.json$/, /\/ui\.json$/, /^flows\//, /\/messages\.json$/];

function rankFile(path: string): number {
  const at = fileOrder.findIndex((pattern) => pattern.test(path));
  return at < 0 ? fileOrder.length : at;
}

const PlainScreen = (props: ScreenProps) => <Screen {...props} theme={plainTheme} />;
const themes: Readonly<Record<string, ComponentType<ScreenProps>>> = {
  'Fluent UI': ThemedScreen,
  'Plain HTML': PlainScreen,
};
const compile = createPlaygroundCompiler(runScreenModule);

/** Delay after the last key press before files are compiled and the URL is updated, in milliseconds. */
const debounceMs = 250;

export function Playground({ first }: { readonly first: PlaygroundExample }) {
  const { sample, files, opened, edit } = useExample(first);
  const [theme, setTheme] = useState('Fluent UI');
  return (
    <>
      <header className="playground-head">
        <h1>Playground</h1>
        <label>
          Sample{' '}
          <select
            className="form-select"
            value={sample ?? ''}
            onChange={({ target }) => (location.hash = buildSampleUrlFragment(target.value))}
          >
            {sample === null && <option value="">Edited</option>}
            {[...new Set(playgroundSamples.map(({ of }) => of))].map((of) => (
              <optgroup key={of} label={of}>
                {playgroundSamples
                  .filter((own) => own.of === of)
                  .map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
              </optgroup>
            ))}
          </select>
        </label>
        <label>
          Theme{' '}
          <select className="form-select" value={theme} onChange={({ target }) => setTheme(target.value)}>
            {Object.keys(themes).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <Share />
        <p>{playgroundSamples.find(({ name }) => name === sample)?.note ?? ''}</p>
      </header>
      <Workbench key={opened} files={files} Screen={themes[theme] ?? PlainScreen} onChange={edit} />
    </>
  );
}

interface WorkbenchProps {
  readonly files: PlaygroundFiles;
  readonly Screen: ComponentType<ScreenProps>;
  readonly onChange: (path: string, text: string) => void;
}

function Workbench({ files, Screen, onChange }: WorkbenchProps) {
  const { definitions, problems } = useCompilation(files);
  return (
    <main className="playground">
      <section aria-labelledby="files">
        <h2 id="files">Files</h2>
        <Editor files={files} problems={problems} onChange={onChange} />
      </section>
      <section aria-labelledby="form">
        <h2 id="form">Form</h2>
        {problems && problems.length > 0 && (
          <p>
            {definitions ? 'This is the form of the last files without a problem.' : 'Mend the problems to see it.'}
          </p>
        )}
        {definitions && (
          <CrashBoundary at={definitions.version} fallback={<p role="alert">It cannot be drawn.</p>}>
            <PlaygroundPreview key={definitions.version} definitions={definitions} Screen={Screen} />
          </CrashBoundary>
        )}
      </section>
    </main>
  );
}

function Share() {
  const [done, setDone] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(location.href).then(
      () => setDone('Copied.'),
      () => setDone('Copy it from the address bar.'),
    );
  return (
    <>
      <button type="button" className="button" onClick={() => void copy()}>
        Copy the address
      </button>
      <span role="status">{done}</span>
    </>
  );
}

/** An example, and the count of opened examples, whose change resets the editors. */
type OpenedExample = PlaygroundExample & { readonly opened: number };

function useExample(first: PlaygroundExample) {
  const [shown, set] = useState<OpenedExample>({ ...first, opened: 0 });
  const { sample, files } = shown;
  useWindowEvent('hashchange', async () => {
    const example = await readExampleFromUrlFragment(location.hash);
    set(({ opened }) => ({ ...example, opened: opened + 1 }));
  });
  useEffect(() => {
    if (sample !== null) return;
    const waiting = setTimeout(
      async () => history.replaceState(null, '', await buildFilesUrlFragment(files)),
      debounceMs,
    );
    return () => clearTimeout(waiting);
  }, [sample, files]);
  const edit = (path: string, text: string) => set({ ...shown, sample: null, files: { ...files, [path]: text } });
  return { ...shown, edit };
}

interface Compilation {
  /** Result of the last successful compilation. `null` until there is one. */
  readonly definitions: ServedDefinitions | null;
  /** Problems of the current files. `null` until the first compilation. */
  readonly problems: readonly DefinitionProblem[] | null;
}

function useCompilation(files: PlaygroundFiles): Compilation {
  const [compilation, set] = useState<Compilation>({ definitions: null, problems: null });
  const isFirst = useRef(true);
  useEffect(() => {
    let isLast = true;
    const read = async () => {
      const { definitions, problems } = await compile(files);
      if (isLast) set((before) => ({ definitions: definitions ?? before.definitions, problems }));
    };
    const waiting = setTimeout(read, isFirst.current ? 0 : debounceMs);
    isFirst.current = false;
    return () => {
      isLast = false;
      clearTimeout(waiting);
    };
  }, [files]);
  return compilation;
}
