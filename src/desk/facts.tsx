export function Facts({ facts }: { readonly facts: readonly (readonly [term: string, detail: string])[] }) {
  return (
    <dl className="desk-facts">
      {facts.map(([term, detail]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{detail}</dd>
        </div>
      ))}
    </dl>
  );
}
