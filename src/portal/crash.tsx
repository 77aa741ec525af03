import { Component, type ReactNode } from 'react';

interface CrashProps {
  /** What is shown in place of what could not be drawn. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** The last resort of the page: an error while drawing shows a sentence and a button, never a blank page. */
export class Crash extends Component<CrashProps, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true };
  }

  override componentDidCatch(error: Error): void {
    reportError(error); // the browser's own log, and whatever listens to it
  }

  override render(): ReactNode {
    return this.state.crashed ? this.props.fallback : this.props.children;
  }
}
