export { stopShared as default } from './local-run';
