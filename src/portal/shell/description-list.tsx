interface DescriptionListProps {
  readonly facts: readonly (readonly [term: string, detail: string])[];
  readonly className?: string;
}

/** Omits facts with an empty detail. */
export function DescriptionList({ facts, className }: DescriptionListProps) {
  return (
    <dl className={className}>
      {facts
        .filter(([, detail]) => detail !== '')
        .map(([term, detail]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
    </dl>
  );
}
