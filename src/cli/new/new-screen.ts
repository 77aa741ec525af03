import { createScaffoldCommand } from './scaffold-command.ts';

export const command = createScaffoldCommand({
  screen: {
    'screen/schema.json': 'schemas/{{name}}/schema.json',
    'screen/ui.json': 'schemas/{{name}}/ui.json',
    'screen/ui.pt.json': 'schemas/{{name}}/ui.pt.json',
    'screen/flow.json': 'flows/{{name}}.json',
    'screen/cases.json': 'tests/fixtures/{{name}}.json',
  },
});
