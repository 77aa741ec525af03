import type { Json } from '../engine/core/json.ts';
import type { OperationEntry } from './dev-page-data.ts';
import { t } from './texts.ts';
import { DevViewHeader } from './dev-view-header.tsx';

export function OperationsPage({ operations }: { readonly operations: readonly OperationEntry[] }) {
  return (
    <main className="gallery">
      <DevViewHeader at="operations" />
      <p>
        <a href="/openapi.json">openapi.json</a>
      </p>
      <p role="status">{t('operationCount', { count: operations.length })}</p>
      {operations.map((operation) => (
        <OperationSection key={operation.name} {...operation} />
      ))}
    </main>
  );
}

function OperationSection({ name, method, path, summary, roles, proof, query, body, answer }: OperationEntry) {
  return (
    <details className="gallery-screen" id={name}>
      <summary>
        <h2>{name}</h2>{' '}
        <code>
          {method} {path}
        </code>
        <p lang="en">{summary}</p>
      </summary>
      <p>{t('operationRoles', { roles: roles.join(', ') })}</p>
      {proof !== null && <p>{t('operationProof', { proof })}</p>}
      {query.length > 0 && <p>{t('operationQuery', { names: query.join(', ') })}</p>}
      {body !== null && <Schema title={t('operationBody')} schema={body} />}
      <Schema title={t('operationAnswer')} schema={answer} />
    </details>
  );
}

function Schema({ title, schema }: { readonly title: string; readonly schema: Json }) {
  return (
    <>
      <h3>{title}</h3>
      <pre tabIndex={0}>{JSON.stringify(schema, null, 2)}</pre>
    </>
  );
}
