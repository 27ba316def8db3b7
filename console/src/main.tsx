import { render } from 'preact';
import { App } from './app';
import './state/theme';

render(<App />, document.getElementById('app') as HTMLElement);
