import './count-components.ts'; // takes React's reports only where it is there before React
