import { Component, type ReactNode } from 'react';

interface CrashProps {
  readonly text: string;
  readonly reload: string;
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
    if (!this.state.crashed) return this.props.children;
    return (
      <section className="screen" role="alert">
        <p>{this.props.text}</p>
        <button type="button" className="link-button" onClick={() => window.location.reload()}>{this.props.reload}</button>
      </section>
    );
  }
}
