/** A country that issues documents, and the types of them, by code and name. */
export interface Country {
  readonly code: string;
  readonly name: string;
  readonly types: readonly DocumentType[];
}

/** A type of document, by code and name. */
export interface DocumentType {
  readonly code: string;
  readonly name: string;
}

/** Reads the answer of `getCountries`; what has another shape is left out. */
export function readCountries(answer: unknown): readonly Country[] {
  return listOf(answer).flatMap((entry) => {
    const country = readNamed(entry);
    return country ? [{ ...country, types: listOf(propertyOf(entry, 'documentos')).flatMap(readType) }] : [];
  });
}

function readType(document: unknown): readonly DocumentType[] {
  const type = readNamed(propertyOf(document, 'tipo_documento'));
  return type ? [type] : [];
}

function readNamed(value: unknown): DocumentType | null {
  const [code, name] = [propertyOf(value, 'codigo'), propertyOf(value, 'nombre')];
  return typeof code === 'string' && typeof name === 'string' ? { code, name } : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
