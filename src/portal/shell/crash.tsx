import { Component, type ReactNode } from 'react';

interface CrashProps {
  /** Where the citizen is: what could not be drawn there is no word on any other place. */
  readonly at: string;
  /** What is shown in place of what could not be drawn. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

interface CrashState {
  readonly at: string;
  readonly crashed: boolean;
}

/** The last resort of the page: an error while drawing shows a sentence and a button, never a blank page, until the citizen goes on. */
export class Crash extends Component<CrashProps, CrashState> {
  override state: CrashState = { at: this.props.at, crashed: false };

  static getDerivedStateFromProps({ at }: CrashProps, state: CrashState): CrashState | null {
    return at === state.at ? null : { at, crashed: false };
  }

  static getDerivedStateFromError(): Pick<CrashState, 'crashed'> {
    return { crashed: true };
  }

  override componentDidCatch(error: Error): void {
    reportError(error); // the browser's own log, and whatever listens to it
  }

  override render(): ReactNode {
    return this.state.crashed ? this.props.fallback : this.props.children;
  }
}
