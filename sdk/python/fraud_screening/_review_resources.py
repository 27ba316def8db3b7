from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Literal, Optional

from . import _operations as ops
from ._call import path_of
from ._resources import When, _Resource
from ._types import (
    Case,
    CaseComment,
    CaseList,
    CaseResults,
    CaseStatus,
    CaseTimeline,
    Decision,
    DecisionList,
    DecisionListDecision,
    DecisionName,
    SubjectType,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import CallKeywords, PostKeywords
    from ._types import (
        ClaimCaseRequest,
        CommentCaseRequest,
        ResolveCaseRequest,
        ResolveCasesRequest,
        ReviewDecisionRequest,
    )

CaseOrder = Literal["newest", "score", "amount", "expires"]


class Decisions(_Resource):
    """Decisions, by their own ID or by that of the transaction or event."""

    def get(self, id: str, **options: Unpack[CallKeywords]) -> Decision:
        return self._runner.run(ops.get(self._runner.sender, path_of("/v1/decisions/{}", id), options))

    def review(self, id: str, request: ReviewDecisionRequest, **options: Unpack[PostKeywords]) -> Decision:
        """Overrides a decision by hand: ``block`` says it was fraud, ``allow`` that it was not."""
        path = path_of("/v1/decisions/{}/review", id)
        return self._runner.run(ops.post(self._runner.sender, path, request, options))

    def list(
        self,
        *,
        user_id: Optional[str] = None,
        decision: Optional[DecisionName] = None,
        outcome: Optional[Literal["missed_fraud"]] = None,
        start_date: When = None,
        end_date: When = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[CallKeywords],
    ) -> DecisionList:
        """One page, newest first. Name a user, an outcome, or a decision other than ``allow``."""
        query = dict(user_id=user_id, decision=decision, outcome=outcome, start_date=start_date, end_date=end_date)
        paged = dict(query, limit=limit, cursor=cursor)
        return self._runner.run(ops.get(self._runner.sender, "/v1/decisions", options, paged))

    def all(
        self,
        *,
        user_id: Optional[str] = None,
        decision: Optional[DecisionName] = None,
        outcome: Optional[Literal["missed_fraud"]] = None,
        start_date: When = None,
        end_date: When = None,
        **options: Unpack[CallKeywords],
    ) -> Iterator[DecisionListDecision]:
        """Every decision that matches, newest first, page by page as you ask for them."""
        query = dict(user_id=user_id, decision=decision, outcome=outcome, start_date=start_date, end_date=end_date)
        walk = ops.CursorWalk("/v1/decisions", "decisions", query)
        while not walk.is_done:
            for each in self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each



class Cases(_Resource):
    def list(
        self,
        *,
        status: Optional[CaseStatus] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        start_date: When = None,
        end_date: When = None,
        **options: Unpack[CallKeywords],
    ) -> CaseList:
        """One page, newest first."""
        query = dict(status=status, limit=limit, offset=offset, start_date=start_date, end_date=end_date)
        return self._runner.run(ops.get(self._runner.sender, "/v1/cases", options, query))

    def all(
        self,
        *,
        status: Optional[CaseStatus] = None,
        limit: Optional[int] = None,
        start_date: When = None,
        end_date: When = None,
        **options: Unpack[CallKeywords],
    ) -> Iterator[Case]:
        """Every case that matches, newest first, page by page as you ask for them. You may resolve cases as you go."""
        walk = ops.CaseWalk(dict(status=status, limit=limit, start_date=start_date, end_date=end_date))
        while not walk.is_done:
            for each in self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each

    def get(self, case_id: str, **options: Unpack[CallKeywords]) -> Case:
        return self._runner.run(ops.get(self._runner.sender, path_of("/v1/cases/{}", case_id), options))

    def resolve(self, case_id: str, request: ResolveCaseRequest, **options: Unpack[CallKeywords]) -> Case:
        """Closes an open case. Raises ``case_not_open`` if somebody was faster or the case has expired."""
        return self._runner.run(ops.resolve_case(self._runner.sender, case_id, request, options))

    def search(
        self,
        *,
        status: Optional[CaseStatus] = None,
        user_id: Optional[str] = None,
        assignee: Optional[str] = None,
        resolved_by: Optional[str] = None,
        signal: Optional[str] = None,
        min_score: Optional[int] = None,
        max_score: Optional[int] = None,
        subject_type: Optional[SubjectType] = None,
        sort: CaseOrder = "newest",
        start_date: When = None,
        end_date: When = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[CallKeywords],
    ) -> CaseList:
        """One page of a search. Pages go by ``next_cursor``, and ``total`` is None."""
        who = dict(user_id=user_id, assignee=assignee, resolved_by=resolved_by)
        what = dict(status=status, signal=signal, subject_type=subject_type, min_score=min_score, max_score=max_score)
        page = dict(sort=sort, start_date=start_date, end_date=end_date, limit=limit, cursor=cursor)
        return self._runner.run(ops.get(self._runner.sender, "/v1/cases", options, {**who, **what, **page}))

    def claim(
        self, case_id: str, request: Optional[ClaimCaseRequest] = None, **options: Unpack[PostKeywords]
    ) -> Case:
        """Claims an open case for 15 minutes, or renews your claim. Raises ``case_claimed`` while somebody else has it."""
        path = path_of("/v1/cases/{}/claim", case_id)
        return self._runner.run(ops.post(self._runner.sender, path, request or {}, options))

    def release(self, case_id: str, *, analyst_id: Optional[str] = None, **options: Unpack[CallKeywords]) -> None:
        """Ends a claim before its time. Name the holder unless the key is the holder's own."""
        path = path_of("/v1/cases/{}/claim", case_id)
        self._runner.run(ops.send_delete(self._runner.sender, path, options, dict(analyst_id=analyst_id)))

    def comment(self, case_id: str, request: CommentCaseRequest, **options: Unpack[PostKeywords]) -> CaseComment:
        path = path_of("/v1/cases/{}/comments", case_id)
        return self._runner.run(ops.post(self._runner.sender, path, request, options))

    def timeline(self, case_id: str, **options: Unpack[CallKeywords]) -> CaseTimeline:
        """Everything that happened to the subject of a case, oldest first."""
        return self._runner.run(ops.get(self._runner.sender, path_of("/v1/cases/{}/timeline", case_id), options))

    def resolve_all(self, request: ResolveCasesRequest, **options: Unpack[PostKeywords]) -> CaseResults:
        """Resolves up to 100 cases; ``results`` tells how each ended. None is ever decided twice."""
        return self._runner.run(ops.post(self._runner.sender, "/v1/cases/resolve", request, options))
