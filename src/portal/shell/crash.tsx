import { Component, type ReactNode } from 'react';

interface CrashProps {
  readonly at: string;
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

interface CrashState {
  readonly at: string;
  readonly crashed: boolean;
}

/** Problems of the definitions on disk. The pages use the last valid ones meanwhile. */
export function Problems({ title, problems }: { title: string; problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <section className="problems" role="alert">
      <h2>{title}</h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>
            <code>{problem}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

export class Crash extends Component<CrashProps, CrashState> {
  override state: CrashState = { at: this.props.at, crashed: false };

  static getDerivedStateFromProps({ at }: CrashProps, state: CrashState): CrashState | null {
    return at === state.at ? null : { at, crashed: false };
  }

  static getDerivedStateFromError(): Pick<CrashState, 'crashed'> {
    return { crashed: true };
  }

  override componentDidCatch(error: Error): void {
    reportError(error); // logs the error and fires the `error` event
  }

  override render(): ReactNode {
    return this.state.crashed ? this.props.fallback : this.props.children;
  }
}
