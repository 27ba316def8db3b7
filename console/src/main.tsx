import './state/page';
import { useSignalEffect } from '@preact/signals';
import { render } from 'preact';
import { CasePage } from './pages/case';
import { DecisionPage, FindPage } from './pages/decision';
import { DeclarationsPage } from './pages/declarations';
import { KeysPage } from './pages/keys';
import { ListsPage } from './pages/lists';
import { OverviewPage } from './pages/overview';
import { QueuePage } from './pages/queue';
import { RulesPage } from './pages/rules';
import { ResumingPage, SignInPage } from './pages/sign-in';
import { DecisionsPage, UserPage } from './pages/user';
import { Help } from './parts/panel';
import { Shell } from './parts/shell';
import { Tray, undoAndShow } from './parts/tray';
import { closeCase, closeTimeline } from './state/case-view';
import { closeDeclarations } from './state/declarations';
import { closeLists } from './state/lists';
import { closeDecision, closeDecisions, closeKeys, closeOverview, closeUser } from './state/loadable';
import { isHelpOpen, useShortcuts } from './state/page';
import { closeQueue, pick } from './state/queue';
import { goTo, goToQueue, type Route, route } from './state/route';
import { closeRules } from './state/rules';
import { isResuming, resume, session } from './state/session';

const TITLES: Readonly<Record<Route['page'], string>> = {
  queue: 'Queue',
  case: 'Case',
  user: 'User',
  decision: 'Decision',
  find: 'Find',
  decisions: 'Decisions',
  overview: 'Overview',
  lists: 'Lists',
  keys: 'Keys',
  rules: 'Rules',
  declarations: 'Definitions',
};

function Page() {
  const at = route.value;
  switch (at.page) {
    case 'queue':
      return <QueuePage filter={at.filter} />;
    case 'case':
      return <CasePage caseId={at.caseId} />;
    case 'user':
      return <UserPage userId={at.userId} />;
    case 'decision':
      return <DecisionPage decisionId={at.decisionId} />;
    case 'find':
      return <FindPage key={at.text} {...at} />;
    case 'decisions':
      return <DecisionsPage {...at} />;
    case 'overview':
      return <OverviewPage range={at.range} />;
    case 'keys':
      return <KeysPage />;
    case 'lists':
      return <ListsPage open={at.list} />;
    case 'rules':
      return <RulesPage open={at.rule} isNew={at.isNew === true} />;
    case 'declarations':
      return <DeclarationsPage {...at} />;
    default:
      return at satisfies never;
  }
}

function SignedIn() {
  useSignalEffect(() => {
    document.title = `${TITLES[route.value.page]} · Review console`;
  });
  useShortcuts({
    u: undoAndShow,
    q: goToQueue,
    o: () => goTo({ page: 'overview', range: '7d' }),
    l: () => goTo({ page: 'lists' }),
    d: () => goTo({ page: 'decisions', kind: 'block', from: '', to: '' }),
    e: () => goTo({ page: 'rules' }),
    f: () => goTo({ page: 'declarations' }),
    '?': () => {
      isHelpOpen.value = true;
    },
  });
  return (
    <Shell>
      <Page />
      <Tray />
      <Help />
    </Shell>
  );
}

/** No account data stays on the page when nobody is signed in. */
export function App() {
  useSignalEffect(() => {
    if (session.value) return;
    closeQueue();
    closeCase();
    closeTimeline();
    pick([]);
    closeOverview();
    closeDecisions();
    closeDecision();
    closeUser();
    closeLists();
    closeKeys();
    closeRules();
    closeDeclarations();
    document.title = 'Review console';
  });
  if (session.value) return <SignedIn />;
  return isResuming.value ? <ResumingPage /> : <SignInPage />;
}

void resume();
render(<App />, document.getElementById('app') as HTMLElement);
