import createPrecompiledValidator from '@rjsf/validator-ajv8/lib/createPrecompiledValidator.js';
import { hashForSchema, type RJSFSchema, type ValidatorType } from '@rjsf/utils';
import type { ErrorObject } from 'ajv';
import { stepsOfName, valueAt } from '../../core/field-path.ts';
import { isObject } from '../../core/json.ts';
import type { Validator } from '../../core/validate.ts';

type Functions = Parameters<typeof createPrecompiledValidator>[0];

/**
 * What rjsf asks whether values fit a schema or a part of it: the validators that the compiler wrote for the screen. The whole schema
 * goes by its `$id`; its properties by their hash, which is made when rjsf first asks for one.
 */
export function rjsfValidator(validator: Validator, schema: RJSFSchema): ValidatorType {
  const whole = wholeValidator(validator);
  let properties: Readonly<Record<string, unknown>> | undefined;
  const functions = new Proxy<Functions>(
    {},
    {
      get: (_, key) => {
        if (key === schema.$id) return whole;
        properties ??= Object.fromEntries(
          validator.screen.fields.map(({ name, schema: property }) => [
            hashForSchema(property as RJSFSchema), // of schema.json
            validator.values[name],
          ]),
        );
        return properties[String(key)];
      },
    },
  );
  return createPrecompiledValidator(functions, schema);
}

/** One function of all those of the properties, which tells its errors as ajv does. */
function wholeValidator({ screen, values }: Validator): Functions[string] {
  const validate: Functions[string] = (data: unknown) => {
    const given = isObject(data) ? data : {};
    const errors = screen.fields.flatMap(({ name, required }): ErrorObject[] => {
      const value = valueAt(given, name);
      if (value === undefined) return required ? [missing(name)] : [];
      const check = values[name];
      return !check || check(value)
        ? []
        : (check.errors ?? []).map((error) => ({
            ...error,
            instancePath: `/${stepsOfName(name).join('/')}${error.instancePath}`,
          }));
    });
    validate.errors = errors;
    return errors.length === 0;
  };
  return validate;
}

function missing(name: string): ErrorObject {
  return {
    instancePath: '',
    schemaPath: '#/required',
    keyword: 'required',
    params: { missingProperty: name },
    message: `must have required property '${name}'`,
  };
}
