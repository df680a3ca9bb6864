package dev.mainstay.server.queue.api;

import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.QueueView;
import dev.mainstay.server.queue.Queues;
import dev.mainstay.server.queue.api.QueueApi.WireQueue;
import dev.mainstay.server.queue.store.QueueName;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Queues for clients that declare what a queue is to be, and compare: they are answered what they
 * sent, and what they did not send is as the last answer said. To delete what is not there is done,
 * and what is not empty is their fault (400), since they know no other word for it.
 */
public final class TrunkQueueApi {
  private final Queues queues;

  public TrunkQueueApi(Queues queues) {
    this.queues = queues;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/trunk/v1/createQueue", Scope.QUEUE, this::create),
        Route.post("/trunk/v1/getQueue", Scope.READ, this::get),
        Route.post("/trunk/v1/updateQueue", Scope.QUEUE, this::update),
        Route.post("/trunk/v1/deleteQueue", Scope.QUEUE, this::delete));
  }

  private Reply create(Request request) {
    var sent = AsSent.of(request.object());
    var in = new Fields(sent.usable());
    QueueName name = QueueFields.queue(request.caller(), in);
    QueueFields.checkNew(in, name.branch());
    var edit = SettingsFields.read(in);
    in.check();
    return switch (queues.create(name, sent.first(queues.firstSettings(name), edit))) {
      case Outcomes.Created(var queue) -> reply(queue, WireQueue.alone(queue));
      case Outcomes.QueueExists() -> throw QueueApi.exists();
    };
  }

  private Reply get(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    in.check();
    QueueView queue = queues.find(name).orElseThrow(PullRequestApi::noSuchQueue);
    return reply(queue, WireQueue.whole(queue));
  }

  private Reply update(Request request) {
    var sent = AsSent.of(request.object());
    var in = new Fields(sent.usable());
    QueueName name = QueueFields.queue(request.caller(), in);
    var edit = SettingsFields.read(in);
    Optional<QueueLifecycle> asked = QueueApi.lifecycle(in);
    in.check();
    // To run never undoes a switch of modes; to stand still does.
    boolean keepsSwitch = asked.filter(AsSent::stands).isEmpty();
    return switch (queues.update(name, sent.change(edit, asked), keepsSwitch, asked)) {
      case Outcomes.Updated(var queue) -> reply(queue, WireQueue.alone(queue));
      case Outcomes.NoSuchQueue() -> throw PullRequestApi.noSuchQueue();
    };
  }

  private Reply delete(Request request) {
    var in = request.fields();
    QueueName name = QueueFields.queue(request.caller(), in);
    in.check();
    return switch (queues.delete(name)) {
      case Outcomes.Deleted(), Outcomes.NoSuchQueue() -> Reply.nothing();
      case Outcomes.NotEmpty(var left) ->
          throw ApiError.of(400, "queue_not_empty", QueueApi.stillIn(left));
    };
  }

  /** A queue that switches its mode runs, in the mode that was asked for. */
  private static Reply reply(QueueView queue, WireQueue wire) {
    ObjectNode answer = Json.tree(wire);
    // Clients of this wire do not know it, and compare what they are answered.
    answer.remove("commandPrefixes");
    if (queue.settings().enqueueingLabel().isEmpty()) {
      answer.put("enqueueingLabel", "");
    }
    queue
        .nextMode()
        .ifPresent(
            mode -> {
              answer.put("state", QueueWords.of(QueueLifecycle.RUNNING));
              answer.put("mode", QueueWords.of(mode));
              answer.remove("nextMode");
            });
    AsSent.restore(queue.settings().sentValues(), answer);
    return Reply.json(answer);
  }
}
