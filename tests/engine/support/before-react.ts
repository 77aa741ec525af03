import './count-components.ts'; // must be loaded before React, which reports only to a hook that already exists
