/** What stands where something comes: its heading where it is known, the places of its fields, and a sentence for who cannot see them. */
export function Waiting({ text, title = null, intro = [], fields = 2 }: WaitingProps) {
  return (
    <section className="screen screen-waiting" aria-busy="true">
      {title === null ? <div className="skeleton skeleton-title" /> : <h1>{title}</h1>}
      {intro.map((paragraph) => <p key={paragraph} className="screen-intro">{paragraph}</p>)}
      <p role="status" className="waiting-text">{text}</p>
      {Array.from({ length: fields }, (_, index) => <div key={index} className="skeleton skeleton-field" />)}
    </section>
  );
}

interface WaitingProps {
  readonly text: string;
  readonly title?: string | null;
  readonly intro?: readonly string[];
  /** How many fields the form has, if it is one. */
  readonly fields?: number | undefined;
}
