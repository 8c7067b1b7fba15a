// Four threads look at the moves for every answer: a pool with a queue, futures, a clock.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <mutex>
#include <queue>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

class Pool {
  public:
    explicit Pool(unsigned count) {
        for (unsigned i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    }
    ~Pool() {
        { std::lock_guard<std::mutex> guard(mutex); over = true; }
        wake.notify_all();
        for (auto &thread : threads) thread.join();
    }
    std::future<size_t> ask(std::function<size_t()> question) {
        auto task = std::make_shared<std::packaged_task<size_t()>>(std::move(question));
        auto answer = task->get_future();
        { std::lock_guard<std::mutex> guard(mutex); tasks.push([task] { (*task)(); }); }
        wake.notify_one();
        return answer;
    }

  private:
    void work() {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> lock(mutex);
                wake.wait(lock, [this] { return over || !tasks.empty(); });
                if (tasks.empty()) return;
                task = std::move(tasks.front());
                tasks.pop();
            }
            task();
        }
    }
    std::mutex mutex;
    std::condition_variable wake;
    std::queue<std::function<void()>> tasks;
    std::vector<std::thread> threads;
    bool over = false;
};

int main() {
    std::ifstream book("book.txt");
    std::string line, word;
    if (!std::getline(book, line)) return 3;
    std::random_device chance;
    std::vector<unsigned> large(16 << 20, chance());
    Pool pool(4);
    std::vector<std::string> moves;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "pitmaster") std::cout << "ready threads-cpp" << std::endl;
        if (word == "newgame") std::cout << "ready" << std::endl;
        if (word == "quit") return 0;
        if (word == "moves") {
            moves.clear();
            while (words >> word) moves.push_back(word);
        }
        if (word != "go") continue;
        std::vector<std::future<size_t>> answers;
        for (size_t i = 0; i < moves.size(); ++i)
            answers.push_back(pool.ask([i, &large] { return i + (large[i] & 0); }));
        size_t best = 0;
        for (auto &answer : answers) best = answer.get();
        auto sleepy = std::async(std::launch::async, [] {
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        });
        sleepy.wait();
        std::cout << "move " << moves[best] << std::endl;
    }
}
