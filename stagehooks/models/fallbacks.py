"""Several models for one stage: the next is asked where one fails."""

from stagehooks.errors import ModelError
from stagehooks.models.protocol import Model, ModelTroubled, Reply, Request
from stagehooks.models.retry import Tell, untold


class Fallbacks:
    """`models`, in order of preference. A run stays with the one that answered last: what failed may fail again, and slowly."""

    def __init__(self, models: tuple[Model, ...], tell: Tell = untold) -> None:
        self._models = models
        self._tell = tell
        self._first = 0

    async def complete(self, request: Request) -> Reply:
        """The reply of the first that has one; ModelError with all their errors where none has."""
        errors = []
        for turn in range(len(self._models)):
            place = (self._first + turn) % len(self._models)
            try:
                reply = await self._models[place].complete(request)
            except ModelError as error:
                errors.append(error.message)
                if len(errors) < len(self._models):
                    self._tell(ModelTroubled(request.stage, request.turn, error.message, None))
                continue
            self._first = place
            return reply
        raise ModelError("; ".join(errors))
