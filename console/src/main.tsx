import { render } from 'preact';
import { App } from './app';
import { resume } from './state/session';
import './state/page';

void resume();
render(<App />, document.getElementById('app') as HTMLElement);
