import type { Answer } from '../contract/contract.ts';

export function ExtraFacts({ fields }: { fields: Answer<'getDeskCall'>['agregado'] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="desk-facts">
      {fields.map(({ campo, titulo, valor }) => (
        <div key={campo}>
          <dt>{titulo}</dt>
          <dd className="desk-extra">{valor}</dd>
        </div>
      ))}
    </dl>
  );
}
