import { Component, type ReactNode } from 'react';

interface CrashBoundaryProps {
  readonly at: string;
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

interface CrashBoundaryState {
  readonly at: string;
  readonly crashed: boolean;
}

/** Lists the errors in the definitions on disk. Until they are corrected, pages use the last valid definitions. */
export function DefinitionProblems({ title, problems }: { title: string; problems: readonly string[] }) {
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

export class CrashBoundary extends Component<CrashBoundaryProps, CrashBoundaryState> {
  override state: CrashBoundaryState = { at: this.props.at, crashed: false };

  static getDerivedStateFromProps({ at }: CrashBoundaryProps, state: CrashBoundaryState): CrashBoundaryState | null {
    return at === state.at ? null : { at, crashed: false };
  }

  static getDerivedStateFromError(): Pick<CrashBoundaryState, 'crashed'> {
    return { crashed: true };
  }

  override componentDidCatch(error: Error): void {
    reportError(error); // logs the error and dispatches the `error` event
  }

  override render(): ReactNode {
    return this.state.crashed ? this.props.fallback : this.props.children;
  }
}
